const DAY_MS = 86_400_000

/** Each day of a break, first and last included. */
export const daysBetween = (first: string | undefined, last: string | undefined) => {
  if (!first || !last) return []
  const from = Date.parse(`${first}T00:00:00Z`)
  const count = Math.round((Date.parse(`${last}T00:00:00Z`) - from) / DAY_MS) + 1
  return Array.from({ length: count }, (_, day) => new Date(from + day * DAY_MS).toISOString().slice(0, 10))
}

/** Days with others added, each once and in order. */
export const together = (days: readonly string[], more: readonly string[]) => [...new Set([...days, ...more])].sort()
