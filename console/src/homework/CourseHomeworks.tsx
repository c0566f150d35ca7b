import { useNavigate } from 'react-router'
import { semesters } from '@/basic_data/choices'
import { courses } from '@/course_opening/choices'
import { SemesterFilter } from '@/course_opening/SemesterFilter'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { OptionFilter, SelectFilter, TextFilter } from '@/kit/filters'
import { formatPercent } from '@/kit/format'
import type { Choice } from '@/kit/OptionSelect'
import { QueryTable } from '@/kit/QueryTable'
import { usePlaces } from '@/kit/usePlaces'
import { useQueryTable } from '@/kit/useQueryTable'
import { exportCourseHomework, listCourseHomework, listHomework, saveHomework } from './api'
import { score } from './homeworkRules'

const columns = columnsOf(listCourseHomework, [
  { field: 'courseName', title: '课程', width: 200, fixed: 'left' },
  { field: 'courseCode', under: 'courseName' },
  { field: 'openingCount', width: 80 },
  { field: 'studentCount', width: 80 },
  { field: 'homeworkCount', width: 80 },
  { field: 'dueCount', title: '应交', width: 80 },
  { field: 'handedCount', title: '已交', width: 80 },
  { field: 'markedCount', title: '已批', width: 80 },
  { field: 'pendingCount', title: '待批', width: 80 },
  { field: 'handedRate', title: '提交率', width: 90, render: ({ handedRate }) => formatPercent(handedRate) },
  { field: 'averageScore', title: '平均分', width: 90, render: ({ averageScore }) => score(averageScore) },
  { field: 'paperCount', title: '作业试卷', width: 90, help: '审核通过的作业试卷', hidden: true },
  { field: 'ruleCount', title: '组卷策略', width: 90, hidden: true },
  { field: 'semesterName', title: '学期', width: 150, hidden: true },
])

interface CourseProps {
  semester: Choice | undefined
  /** To the homework of a course. */
  onShow: (filters: Record<string, string>) => void
}

/** 按课程: how the homework of each opened course stands. */
export const CourseHomeworks = ({ semester, onShow }: CourseProps) => {
  const table = useQueryTable(listCourseHomework, { usual: { semesterId: semester?.code } })
  const navigate = useNavigate()
  const places = usePlaces()
  return (
    <>
      <FilterBar table={table}>
        <SemesterFilter of={listCourseHomework} field="semesterId" {...semesters} usual={semester} />
        <TextFilter of={listCourseHomework} field="keyword" />
        <OptionFilter of={listCourseHomework} field="courseId" {...courses} />
        <SelectFilter
          of={listCourseHomework}
          field="hasHomework"
          label="作业"
          options={[
            { value: 'true', label: '有作业' },
            { value: 'false', label: '无作业' },
          ]}
        />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={({ courseName }) => courseName}
        tools={<ExportButton do={exportCourseHomework} table={table} />}
        actionsWidth={150}
        actions={(row) => [
          {
            label: '查看作业',
            do: listHomework,
            onClick: () => onShow({ semesterId: String(row.semesterId), courseId: String(row.courseId) }),
          },
          {
            label: '布置作业',
            do: saveHomework,
            onClick: () => navigate(places('homeworkForm', { semesterId: row.semesterId, courseId: row.courseId })),
          },
        ]}
        empty="该学期还没有已开课的课程。"
      />
    </>
  )
}
