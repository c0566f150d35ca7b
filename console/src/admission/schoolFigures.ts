/** What the list says of one school. */
interface Told {
  segments?: readonly { value: string; count: number }[] | null
}

export interface OfSchool {
  schoolId: number
  schoolName: string
  total: number
  matched: number
  unmatched: number
  conflict: number
  withIssue: number
}

/** The value by which the list counts those who have a problem. */
export const WITH_ISSUE = 'has_issue'

/** How many the list has in each part of the strip; 总数 is all matches together. */
export const countsOf = (segments: Told['segments']) => {
  const count = (value: string) => segments?.find((each) => each.value === value)?.count ?? 0
  const [matched, unmatched, conflict] = [count('matched'), count('unmatched'), count('conflict')]
  return { total: matched + unmatched + conflict, matched, unmatched, conflict, withIssue: count(WITH_ISSUE) }
}

export const figuresOf = (school: { code: number; desc: string }, page: Told | undefined): OfSchool => ({
  schoolId: school.code,
  schoolName: school.desc,
  ...countsOf(page?.segments),
})
