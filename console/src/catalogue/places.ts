import { paths } from '@/paths'

/** Where records of the operators' site stand, from what others know of them. */

const placed = (path: string, query: Record<string, string | number>) =>
  `${path}?${new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))}`

/** The file of a learner among those of that nickname, or who has none by their number. */
export const placeOfLearner = (id: number, nickname: string | null | undefined) =>
  placed(paths.learners, nickname ? { nickname, open: id } : { learnerId: id, open: id })

/** An order among all; its file too where its number is known. */
export const placeOfOrder = (orderNo: string, id?: number) =>
  placed(paths.orders, id === undefined ? { orderNo } : { orderNo, open: id })

const lists = {
  record: { path: paths.recordCourses, by: 'courseName' },
  live: { path: paths.liveCourses, by: 'courseName' },
  resource: { path: paths.resourceCourses, by: 'courseName' },
  exam: { path: paths.quizzes, by: 'examName' },
  vip: { path: paths.vipSets, by: 'setName' },
} as const

/** A product among those of its kind. */
export const placeOfProduct = (kind: keyof typeof lists, id: number, name: string) => {
  const { path, by } = lists[kind]
  return placed(path, { [by]: name, open: id })
}
