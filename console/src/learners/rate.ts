/** What a member pays of a price: 0.85 → 85%. */
export const rateOf = (rate: number) => `${Math.round(rate * 100)}%`
