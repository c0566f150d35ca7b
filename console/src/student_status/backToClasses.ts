import type { Requester } from '@/api/client'
import type { RowOf } from '@/api/operation'
import type { Undo } from '@/kit/undo'
import { divideStudents, type listStudents } from './api'

export type Divided = Pick<RowOf<typeof listStudents>, 'id' | 'version' | 'classId'>

/** Puts students who were divided, or taken out of their classes, back where they were. */
export const backToClasses = (rows: readonly Divided[], failed: ReadonlySet<number>): Undo | undefined => {
  const moved = rows.filter(({ id }) => !failed.has(id))
  if (moved.length === 0) return undefined
  const former = [...new Set(moved.map(({ classId }) => classId ?? undefined))]
  return {
    do: divideStudents,
    run: async (request: Requester) => {
      const failed: unknown[] = []
      for (const classId of former) {
        // The step that is taken back left each of them one version further.
        const items = moved
          .filter((row) => (row.classId ?? undefined) === classId)
          .map(({ id, version }) => ({ id, version: version + 1 }))
        const answer = await request(divideStudents, { body: { items, classId, force: true } })
        failed.push(...answer.failed)
      }
      return { failed }
    },
  }
}
