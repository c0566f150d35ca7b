import type { RowOf } from '@/api/operation'
import { labelOf } from '@/kit/labels'
import { listCorrections } from './api'

type Row = Pick<RowOf<typeof listCorrections>, 'status' | 'own'>

/** Whether it waits for somebody's decision. */
export const isOpen = ({ status }: Pick<Row, 'status'>) =>
  status === 'pending_site' || status === 'pending_school' || status === 'pending_province'

const standing = ({ status }: Row) => `当前状态为${labelOf(listCorrections, 'status', status)}`

/** Why something cannot be done with a correction now; undefined when it can. The server holds the same rules (02 §9.6). */
export const can = {
  audit: (row: Row) => {
    if (!isOpen(row)) return `${standing(row)}，不能审核`
    return row.own ? '本人提交的信息更正须由他人审核' : undefined
  },
  edit: (row: Row) => {
    if (!row.own) return '只能修改本人提交的信息更正'
    return row.status === 'pending_school' ? undefined : `${standing(row)}，不能修改`
  },
  cancel: (row: Row) => (isOpen(row) ? undefined : `${standing(row)}，不能取消`),
}
