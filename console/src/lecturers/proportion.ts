/** 0.7 as 70%; at most two places, since a part has four. */
export const percentOf = (part: number) => `${Math.round(part * 10_000) / 100}%`
