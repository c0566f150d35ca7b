import type { RowOf } from '@/api/operation'
import { classes, grades, levels, majors, semesters, sites } from '@/basic_data/choices'
import type { BulkEntry, RowAction } from '@/kit/actions'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { OptionFilter, TextFilter } from '@/kit/filters'
import { formatTenths } from '@/kit/format'
import type { Choice } from '@/kit/OptionSelect'
import { QueryTable } from '@/kit/QueryTable'
import { useQueryTable } from '@/kit/useQueryTable'
import { exportStudentCredits, listStudentCredits } from './api'
import { SemesterFilter } from './SemesterFilter'

export type StudentCredit = RowOf<typeof listStudentCredits>

const columns = columnsOf(listStudentCredits, [
  { field: 'name', width: 110, fixed: 'left' },
  { field: 'studentNo', under: 'name' },
  { field: 'status', title: '学籍状态', width: 90, fixed: 'left' },
  { field: 'selectedCredits', width: 100, render: ({ selectedCredits }) => formatTenths(selectedCredits) },
  { field: 'obtainedCredits', width: 100, render: ({ obtainedCredits }) => formatTenths(obtainedCredits) },
  {
    field: 'requiredCredits',
    width: 100,
    render: ({ requiredCredits }) => (requiredCredits == null ? '—' : formatTenths(requiredCredits)),
  },
  { field: 'gradeName', width: 84 },
  { field: 'levelName', width: 84 },
  { field: 'majorName', width: 140 },
  { field: 'siteName', width: 140 },
  { field: 'className', width: 170 },
])

interface StudentCreditsProps {
  /** Those alone who selected too little in this semester. */
  below?: Choice
  actions?: (row: StudentCredit) => readonly RowAction[]
  bulk?: (rows: readonly StudentCredit[], done: () => void) => readonly BulkEntry[]
}

/** 学生学分: what students selected and obtained, and what their plan asks for; looked at only. */
export const StudentCredits = ({ below, actions, bulk }: StudentCreditsProps) => {
  const table = useQueryTable(listStudentCredits, { usual: { belowMinimumOf: below?.code } })
  return (
    <>
      <FilterBar table={table}>
        {below && <SemesterFilter of={listStudentCredits} field="belowMinimumOf" {...semesters} usual={below} />}
        <TextFilter of={listStudentCredits} field="keyword" label="姓名或号码" />
        <OptionFilter of={listStudentCredits} field="gradeId" {...grades} />
        <OptionFilter of={listStudentCredits} field="majorId" {...majors} />
        <OptionFilter of={listStudentCredits} field="classId" {...classes} />
        <OptionFilter of={listStudentCredits} field="levelId" {...levels} />
        <OptionFilter of={listStudentCredits} field="siteId" {...sites} />
        {below === undefined && <OptionFilter of={listStudentCredits} field="belowMinimumOf" {...semesters} />}
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={({ name }) => name}
        tools={<ExportButton do={exportStudentCredits} table={table} />}
        bulk={bulk?.(table.tickedRows, table.clearSelection)}
        actions={actions}
        empty={below ? '该学期没有未选满学分的学生。' : '还没有在籍学生。'}
      />
    </>
  )
}
