import { listOptions } from '@/api/infra'

const of = (type: string, parentId?: number, enabled = true) => ({
  options: listOptions,
  query: (keyword: string) => ({ type, keyword: keyword || undefined, parentId, enabled }),
})

/** Batches that are not archived. */
export const batches = of('testBatch')
/** The same for a filter, which finds archived ones too. */
export const allBatches = of('testBatch', undefined, false)
/** Examinations of a batch, or of all. */
export const setupsOf = (batchId: number | undefined) => of('examSetup', batchId, false)
/** Sessions of a batch. */
export const sessionsOf = (batchId: number | undefined) => of('offlineSession', batchId, false)
/** Rooms of a site that are in use. */
export const roomsOf = (siteId: number | undefined) => of('examRoom', siteId)
/** Papers of a course that may be used. */
export const papersOf = (courseId: number | undefined) => of('paper', courseId)
export const rulesOf = (courseId: number | undefined) => of('paperRule', courseId)
