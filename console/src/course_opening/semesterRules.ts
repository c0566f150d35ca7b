interface Semester {
  /** `2026-1` in spring, `2026-2` in autumn. */
  number: string
  enabled: boolean
}

const LAST_OF_WINTER = 2
const LAST_OF_SPRING = 8

/** The code of the semester in which a day lies, `YYYY-MM-DD`: the winter belongs to the autumn before it. */
export const codeOn = (day: string) => {
  const [year = 0, month = 0] = day.split('-').map(Number)
  if (month <= LAST_OF_WINTER) return `${year - 1}-2`
  return `${year}-${month <= LAST_OF_SPRING ? 1 : 2}`
}

/** The semester that is going on, of those that are offered from the newest on: an open one that has begun, else the oldest open one. */
export const semesterOn = <Offered extends Semester>(day: string, offered: readonly Offered[]) => {
  const open = offered.filter(({ enabled }) => enabled)
  return open.find(({ number }) => number <= codeOn(day)) ?? open.at(-1)
}
