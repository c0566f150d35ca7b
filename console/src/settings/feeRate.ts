/** What a provider keeps of each payment: 0.006 → 0.6%. */
export const rateOf = (rate: number) => `${Math.round(rate * 10_000) / 100}%`
