import type { Cohort } from '@/api/types/student_status'

/** By what the register is counted. */
export const ways = [
  ['siteName', '按站点'],
  ['gradeName', '按年级'],
  ['levelName', '按层次'],
  ['studyForm', '按学习形式'],
] as const

export type Way = (typeof ways)[number][0]

export interface Bar {
  name: string
  total: number
  /** In the order of `namesOf` the part. */
  parts: readonly number[]
}

/** What a bar is made of: that of a grade of levels, every other of grades. */
export const partOf = (way: Way): Way => (way === 'gradeName' ? 'levelName' : 'gradeName')

/** What occurs, in the server's order: the newest grade first. */
export const namesOf = (cohorts: readonly Cohort[], way: Way): readonly string[] => [
  ...new Set(cohorts.map((cohort) => cohort[way])),
]

export const sumOf = (cohorts: readonly Cohort[]) => cohorts.reduce((sum, { count }) => sum + count, 0)

/** A bar for each that occurs; of sites the largest first. Together they are the list's total, whatever they are made of. */
export const barsOf = (cohorts: readonly Cohort[], way: Way): readonly Bar[] => {
  const part = partOf(way)
  const parts = namesOf(cohorts, part)
  const bars = namesOf(cohorts, way).map((name) => {
    const own = cohorts.filter((cohort) => cohort[way] === name)
    return {
      name,
      total: sumOf(own),
      parts: parts.map((each) => sumOf(own.filter((cohort) => cohort[part] === each))),
    }
  })
  return way === 'siteName' ? bars.sort((one, other) => other.total - one.total) : bars
}
