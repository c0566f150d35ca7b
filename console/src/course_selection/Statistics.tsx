import { grades, majors, semesters } from '@/basic_data/choices'
import { courses } from '@/course_opening/choices'
import { nameOf, statusTones as openingTones } from '@/course_opening/openingRules'
import { SemesterFilter } from '@/course_opening/SemesterFilter'
import { columnsOf } from '@/kit/columns'
import { FilterBar } from '@/kit/FilterBar'
import { EnumFilter, OptionFilter } from '@/kit/filters'
import { formatNumber } from '@/kit/format'
import type { Choice } from '@/kit/OptionSelect'
import { QueryTable } from '@/kit/QueryTable'
import { Word } from '@/kit/Status'
import { useQueryTable } from '@/kit/useQueryTable'
import { listSelectionStatistics, listSelections } from './api'
import { isFull } from './selectionRules'

const columns = columnsOf(listSelectionStatistics, [
  { field: 'courseName', title: '课程', width: 200, fixed: 'left' },
  { field: 'courseCode', under: 'courseName' },
  { field: 'status', title: '状态', width: 84, fixed: 'left', tones: openingTones },
  { field: 'kind', width: 88 },
  { field: 'nature', width: 76 },
  { field: 'gradeName', title: '年级', width: 90, render: ({ gradeName }) => gradeName ?? '不限' },
  { field: 'majorName', title: '专业', width: 150, render: ({ majorName }) => majorName ?? '不限' },
  {
    field: 'selected',
    title: '已选/上限',
    width: 130,
    help: '待审核的也占人数',
    render: (row) => (
      <>
        {formatNumber(row.selected)} / {formatNumber(row.capacity) || '不限'}{' '}
        {isFull(row) && <Word tone="bad">已满</Word>}
      </>
    ),
  },
  { field: 'pending', width: 90 },
  { field: 'dropped', width: 90 },
  { field: 'exempted', width: 90 },
  { field: 'completed', width: 90 },
])

interface StatisticsProps {
  semester: Choice | undefined
  /** To the students of an opening. */
  onShow: (filters: Record<string, string>) => void
}

/** 按课程统计: how full the openings are. */
export const Statistics = ({ semester, onShow }: StatisticsProps) => {
  const table = useQueryTable(listSelectionStatistics, { usual: { semesterId: semester?.code } })
  const semesterId = table.filters.semesterId ?? semester?.code
  return (
    <>
      <FilterBar table={table}>
        <SemesterFilter of={listSelectionStatistics} field="semesterId" {...semesters} usual={semester} />
        <OptionFilter of={listSelectionStatistics} field="courseId" {...courses} />
        <OptionFilter of={listSelectionStatistics} field="gradeId" {...grades} />
        <OptionFilter of={listSelectionStatistics} field="majorId" {...majors} />
        <EnumFilter of={listSelectionStatistics} field="nature" />
        <EnumFilter of={listSelectionStatistics} field="status" only={['opened', 'closed']} />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={nameOf}
        actionsWidth={110}
        actions={(row) => [
          {
            label: '查看名单',
            do: listSelections,
            onClick: () => onShow({ openingId: String(row.id), ...(semesterId && { semesterId: String(semesterId) }) }),
          },
        ]}
        empty="该学期还没有已开课的课程。"
      />
    </>
  )
}
