const MINUTE = 60

/** Seconds of study as people read them: `12分钟`. */
export const minutesOf = (seconds: number) => `${Math.floor(seconds / MINUTE)}分钟`
