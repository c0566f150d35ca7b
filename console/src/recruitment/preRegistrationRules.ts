import type { RowOf } from '@/api/operation'
import { nextOf } from '@/kit/auditQueue'
import { labelOf } from '@/kit/labels'
import { listPreRegistrations } from './api'

type Row = Pick<RowOf<typeof listPreRegistrations>, 'status' | 'examStatus'>

/** Why something cannot be done with a pre-registration now; undefined when it can. The server holds the same rules (02 §3). */
export const can = {
  edit: ({ status, examStatus }: Row) => {
    if (examStatus === 'admitted') return '该人员已录取，预报名不能再修改'
    if (status !== 'rejected' && status !== 'cancelled') return undefined
    return `${labelOf(listPreRegistrations, 'status', status)}的预报名不能修改，请先恢复待审`
  },
  /** 撤销审核, or 恢复待审 of what was refused or given up. */
  reopen: ({ status, examStatus }: Row) =>
    status === 'approved' && examStatus !== 'none' ? '已网报，不能撤销审核' : undefined,
  delete: ({ examStatus }: Row) => (examStatus === 'admitted' ? '该预报名已关联录取数据，不能删除' : undefined),
}

/** Whether it waits for somebody's decision. */
export const isOpen = ({ status }: Pick<Row, 'status'>) => status === 'pending' || status === 'returned'

/** From 网报 on the province knows the person by name and number. */
export const isKnownToProvince = ({ examStatus }: Pick<Row, 'examStatus'>) => examStatus !== 'none'

/** Whom to look at after somebody was decided on: the next of the page who waits, from its top again behind its end. */
export const nextPending = <R extends Pick<Row, 'status'> & { id: number }>(rows: readonly R[], id: number) =>
  nextOf(rows, id, ({ status }) => status === 'pending')
