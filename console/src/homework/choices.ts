import { listOptions } from '@/api/infra'

const of = (type: string, parentId?: number) => ({
  options: listOptions,
  query: (keyword: string) => ({ type, keyword: keyword || undefined, parentId, enabled: true }),
})

/** Homework that is published or closed. */
export const homeworks = of('homework')
/** Papers of a course that may be used. */
export const papersOf = (courseId: number | undefined) => of('paper', courseId)
export const rulesOf = (courseId: number | undefined) => of('paperRule', courseId)
export const chaptersOf = (courseId: number | undefined) => of('chapter', courseId)
