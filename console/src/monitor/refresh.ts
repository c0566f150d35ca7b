/** How often the screen looks again. */
export const REFRESH_MS = 10_000
