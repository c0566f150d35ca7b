import type { Caller } from '@/api/client'
import type { Operation } from '@/api/operation'

/**
 * How a form that decides on a record is read anew after somebody else changed it: what is typed stays, the version is that of
 * now. For records whose content stays while they wait, or which the form shows as they are now.
 */
export const withVersionOf =
  <Data extends { version: number }>(view: Operation<{ id: number }, undefined, Data>) =>
  async <Decision extends { id?: number }>(decision: Decision, call: Caller): Promise<Decision> => {
    const { version } = await call(view, { query: { id: decision.id ?? 0 } })
    return { ...decision, version }
  }
