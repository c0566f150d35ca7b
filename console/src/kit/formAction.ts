import type { LooseInput, Requester } from '@/api/client'
import type { Operation } from '@/api/operation'
import { momentsOf, withZone } from './moments'
import { tidied } from './rules'
import type { Done } from './saved'
import type { Undo } from './undo'

/** How a form is saved. */
export interface FormAction<Data = unknown> {
  operation: Operation<unknown, unknown, Data>
  /** What the person reads afterwards. */
  done: Done<Data>
  /** The form gives its own way to the server, which knows whose record it is and tells a 409 in the form. */
  send: (values: object, request: Requester) => Promise<Data>
  /** How it is taken back within half a minute. */
  undo?: (data: Data) => Undo | undefined
}

/** What the body takes over from the record as it was read: its id, its version, and what the form does not show. */
const carried = (operation: Operation, record: object | undefined) =>
  Object.fromEntries(Object.entries(record ?? {}).filter(([name]) => name in operation.fields))

/**
 * Saves a form: `formAction(saveSite, '已新增站点')`, or `formAction(editSite, '已保存', record)`, which sends the
 * record's id and version and keeps its fields that the form does not show; moments go with the product's zone. What was done
 * may depend on the answer: `({ copied }) => `已复制${copied}个专业``.
 */
export const formAction = <Query, Body, Data>(
  operation: Operation<Query, Body, Data>,
  done: Done<Data>,
  record?: object,
): FormAction<Data> => ({
  operation,
  done,
  send: (values, request) => {
    const body = withZone({ ...carried(operation, record), ...tidied(values) }, momentsOf(operation))
    const input: LooseInput = { body }
    return request(operation, input)
  },
})
