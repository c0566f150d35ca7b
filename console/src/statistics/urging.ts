import type { StatRow } from '@/api/types/statistics'
import { type RowAction, step } from '@/kit/actions'
import { remindSuperviseStudents } from '@/supervision/api'

/** 督促: a reminder of everything that a student is behind with (05 C4). */
export const urging = ({ studentId, name }: StatRow): readonly RowAction[] =>
  studentId == null
    ? []
    : [
        step(remindSuperviseStudents, {
          label: '督促',
          with: { body: { filter: { studentId } } },
          confirm: { title: `提醒“${name}”？`, content: '发送一条消息，说明学生有哪些落后；没有预警的学生不会收到。' },
          done: ({ done, failed }) => (done > 0 ? `已提醒${name}` : (failed[0]?.msg ?? '该生没有预警')),
        }),
      ]
