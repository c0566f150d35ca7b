/** A part as people write it, with at most two places since a part has four: 0.7 → 70%, 0.006 → 0.6%. */
export const rateOf = (rate: number) => `${Math.round(rate * 10_000) / 100}%`
