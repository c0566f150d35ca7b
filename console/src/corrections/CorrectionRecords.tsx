import { columnsOf } from '@/kit/columns'
import { ShortList } from '@/kit/ShortList'
import { listCorrections } from './api'
import { changedWords } from './Compared'
import { statusTones } from './tones'

const columns = columnsOf(listCorrections, [
  { field: 'createdAt' },
  { field: 'kind', width: 120 },
  { field: 'after', title: '更正项目', width: 140, render: changedWords },
  { field: 'status', width: 90, tones: statusTones },
  { field: 'provinceDocNo', width: 160 },
  { field: 'decidedOn' },
])

/** 更正记录 within a student's file. */
export const CorrectionRecords = ({ studentId }: { studentId: number }) => (
  <ShortList of={listCorrections} filter={{ studentId }} columns={columns} page="信息更正" empty="还没有更正记录" />
)
