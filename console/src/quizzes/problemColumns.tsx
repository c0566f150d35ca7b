import type { TableColumnProps } from '@arco-design/web-react'
import type { RowOf } from '@/api/operation'
import { labelOf } from '@/kit/labels'
import { listQuizProblems } from './api'

export type ProblemRow = RowOf<typeof listQuizProblems>

/** What tells one question from another, wherever they are chosen from. */
export const problemColumns: TableColumnProps<ProblemRow>[] = [
  { title: '编号', dataIndex: 'id', width: 80 },
  {
    title: '题型',
    dataIndex: 'type',
    width: 90,
    render: (_: unknown, { type }) => labelOf(listQuizProblems, 'type', type),
  },
  { title: '题干', dataIndex: 'stemText', width: 360 },
  {
    title: '难度',
    dataIndex: 'difficulty',
    width: 80,
    render: (_: unknown, { difficulty }) => labelOf(listQuizProblems, 'difficulty', difficulty),
  },
  { title: '分值', dataIndex: 'defaultScore', width: 70, align: 'right' },
]
