import { semesters, teachers } from '@/basic_data/choices'
import { courses } from '@/course_opening/choices'
import { SemesterFilter } from '@/course_opening/SemesterFilter'
import { step } from '@/kit/actions'
import { columnsOf } from '@/kit/columns'
import { FilterBar } from '@/kit/FilterBar'
import { OptionFilter, SelectFilter } from '@/kit/filters'
import { formatNumber } from '@/kit/format'
import type { Choice } from '@/kit/OptionSelect'
import { QueryTable } from '@/kit/QueryTable'
import { Word } from '@/kit/Status'
import { useQueryTable } from '@/kit/useQueryTable'
import { listMarkingProgress, remindMarkers } from './api'
import { homeworks } from './choices'
import type { Progress } from './markingRules'

const columns = columnsOf(listMarkingProgress, [
  {
    field: 'teacherName',
    title: '批阅教师',
    width: 120,
    fixed: 'left',
    render: ({ teacherName }) => teacherName ?? '未分配',
  },
  { field: 'title', title: '作业', width: 190 },
  { field: 'courseName', under: 'title' },
  { field: 'totalCount', title: '应批', width: 80 },
  { field: 'markedCount', title: '已批', width: 80 },
  { field: 'pendingCount', title: '待批', width: 80 },
  {
    field: 'overdueCount',
    title: '超期',
    width: 90,
    render: ({ overdueCount }) =>
      overdueCount > 0 ? <Word tone="bad">{formatNumber(overdueCount)}</Word> : formatNumber(overdueCount),
  },
  { field: 'markDueAt', title: '批阅截止', width: 170 },
  { field: 'semesterName', title: '学期', width: 150, hidden: true },
])

const nameOf = ({ teacherName, title }: Progress) => `${teacherName ?? '未分配'}《${title}》`

/** 批阅进度: how many sheets each marker of each homework has, and is late with. */
export const MarkersProgress = ({ semester }: { semester: Choice | undefined }) => {
  const table = useQueryTable(listMarkingProgress, { usual: { semesterId: semester?.code } })
  return (
    <>
      <FilterBar table={table}>
        <SemesterFilter of={listMarkingProgress} field="semesterId" {...semesters} usual={semester} />
        <OptionFilter of={listMarkingProgress} field="courseId" {...courses} />
        <OptionFilter of={listMarkingProgress} field="homeworkId" label="作业" {...homeworks} />
        <OptionFilter of={listMarkingProgress} field="teacherId" label="批阅教师" {...teachers} />
        <SelectFilter
          of={listMarkingProgress}
          field="pending"
          label="待批"
          options={[
            { value: 'true', label: '有待批' },
            { value: 'false', label: '已批完' },
          ]}
        />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={nameOf}
        actionsWidth={90}
        actions={(row) => [
          step(remindMarkers, {
            label: '督促',
            disabled: row.teacherId && row.pendingCount > 0 ? undefined : '没有待批阅的答卷',
            with: { body: { homeworkId: row.homeworkId, teacherIds: row.teacherId ? [row.teacherId] : [] } },
            done: `已督促${row.teacherName ?? ''}`,
          }),
        ]}
        empty="该学期还没有需要批阅的答卷。"
      />
    </>
  )
}
