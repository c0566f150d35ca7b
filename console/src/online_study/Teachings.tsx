import { useNavigate } from 'react-router'
import { grades, majors, semesters } from '@/basic_data/choices'
import { courses } from '@/course_opening/choices'
import { SemesterFilter } from '@/course_opening/SemesterFilter'
import { listPeriods } from '@/courses/api'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { EnumFilter, OptionFilter, TextFilter } from '@/kit/filters'
import { formatPercent, formatTime } from '@/kit/format'
import type { Choice } from '@/kit/OptionSelect'
import { QueryTable } from '@/kit/QueryTable'
import { useDrawer } from '@/kit/useDrawer'
import { usePlaces } from '@/kit/usePlaces'
import { useQueryTable } from '@/kit/useQueryTable'
import {
  editOnlineTeaching,
  exportOnlineTeachings,
  listOnlineTeachings,
  listStudyProgress,
  setOnlineTeachings,
  viewOnlineTeaching,
} from './api'
import { can, courseOf, DAY, lastDay, resourceTones, type Teaching, windowTones } from './studyRules'
import { TeachingFile } from './TeachingFile'
import { TeachingForm, TeachingsForm, type TickedTeachings } from './TeachingForms'

const anyone = <span className="nothing">不限</span>

const columns = columnsOf(listOnlineTeachings, [
  { field: 'courseName', title: '课程', width: 190, fixed: 'left' },
  { field: 'courseCode', under: 'courseName' },
  { field: 'resource', width: 90, fixed: 'left', tones: resourceTones },
  { field: 'window', title: '状态', width: 84, fixed: 'left', tones: windowTones },
  { field: 'gradeName', title: '年级', width: 84, render: ({ gradeName }) => gradeName ?? anyone },
  { field: 'majorName', title: '专业', width: 140, render: ({ majorName }) => majorName ?? anyone },
  { field: 'studentCount', title: '人数', width: 70 },
  { field: 'recordName', title: '课程资源', width: 180 },
  {
    field: 'startsAt',
    title: '学习时间',
    width: 200,
    render: ({ startsAt, endsAt }) => `${formatTime(startsAt, DAY)} 至 ${lastDay(endsAt)}`,
  },
  { field: 'finishPercent', title: '完成标准(%)', width: 100, render: ({ finishPercent }) => `${finishPercent}%` },
  {
    field: 'averageProgress',
    title: '平均进度(%)',
    width: 100,
    help: '尚未学习的按0计算',
    render: ({ averageProgress }) => formatPercent(averageProgress),
  },
  { field: 'finishedRate', title: '完成率(%)', width: 90, render: ({ finishedRate }) => formatPercent(finishedRate) },
  { field: 'semesterName', title: '学期', width: 150, hidden: true },
  { field: 'kind', width: 88, hidden: true },
  { field: 'openingStatus', width: 88, hidden: true },
  { field: 'periodCount', width: 80, hidden: true },
  { field: 'sequential', width: 100, hidden: true },
  { field: 'dailyLimitMinutes', width: 120, hidden: true },
  { field: 'requiredProgress', width: 140, hidden: true },
])

interface TeachingsProps {
  semester: Choice | undefined
  /** To the students of a course. */
  onLearners: (filters: Record<string, string>) => void
}

/** 教学设置: how each opened course is studied. */
export const Teachings = ({ semester, onLearners }: TeachingsProps) => {
  const table = useQueryTable(listOnlineTeachings, { usual: { semesterId: semester?.code } })
  const navigate = useNavigate()
  const places = usePlaces()
  const form = useDrawer<Teaching>()
  const many = useDrawer<TickedTeachings>()
  const semesterId = table.filters.semesterId ?? semester?.code
  return (
    <>
      <FilterBar table={table}>
        <SemesterFilter of={listOnlineTeachings} field="semesterId" {...semesters} usual={semester} />
        <TextFilter of={listOnlineTeachings} field="keyword" />
        <OptionFilter of={listOnlineTeachings} field="gradeId" {...grades} />
        <OptionFilter of={listOnlineTeachings} field="majorId" {...majors} />
        <OptionFilter of={listOnlineTeachings} field="courseId" {...courses} />
        <EnumFilter of={listOnlineTeachings} field="resource" />
        <EnumFilter of={listOnlineTeachings} field="openingStatus" only={['opened', 'closed']} />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={courseOf}
        tools={<ExportButton do={exportOnlineTeachings} table={table} />}
        bulk={[
          {
            label: '批量设置',
            do: setOnlineTeachings,
            open: (ids) =>
              many.open({
                ids: [...ids],
                done: (failed) => (failed.length > 0 ? table.tickRows(failed) : table.clearSelection()),
              }),
          },
        ]}
        file={(row) => <TeachingFile teaching={row} />}
        actionsWidth={200}
        actions={(row) => [
          { label: '设置', do: editOnlineTeaching, disabled: can.edit(row), onClick: () => form.open(row) },
          {
            label: '学习监控',
            do: listStudyProgress,
            onClick: () =>
              onLearners({ openingId: String(row.id), ...(semesterId && { semesterId: String(semesterId) }) }),
          },
          {
            label: '预览',
            do: listPeriods,
            disabled: row.recordId ? undefined : '该课程还没有上架的资源',
            onClick: () =>
              navigate(places('courseChapters', { courseId: row.courseId, recordId: row.recordId ?? undefined })),
          },
          { label: '查看', do: viewOnlineTeaching, onClick: () => table.open(row) },
        ]}
        empty="该学期还没有已开课的课程。开课后在这里设置在线学习。"
      />
      <TeachingForm key={`form-${form.key}`} {...form.props} />
      <TeachingsForm key={`many-${many.key}`} {...many.props} />
    </>
  )
}
