import { Button } from '@arco-design/web-react'
import { classes, semesters, sites, teachers } from '@/basic_data/choices'
import { courses } from '@/course_opening/choices'
import { SemesterFilter } from '@/course_opening/SemesterFilter'
import { useShownSemester } from '@/course_opening/useSemester'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { FilterBar } from '@/kit/FilterBar'
import { OptionFilter, SelectFilter } from '@/kit/filters'
import type { Choice } from '@/kit/OptionSelect'
import { QueryTable } from '@/kit/QueryTable'
import { Word } from '@/kit/Status'
import { useDrawer } from '@/kit/useDrawer'
import { useQueryTable } from '@/kit/useQueryTable'
import { ArrangeForm, type ArrangeWish } from './ArrangeForm'
import { arrangeAutomatically, listArranges, listPendingCourses, saveArrange } from './api'
import { hoursTone, hoursWords, type Pending } from './timetableRules'

const columns = columnsOf(listPendingCourses, [
  { field: 'courseName', title: '课程', width: 180, fixed: 'left' },
  { field: 'courseCode', under: 'courseName' },
  {
    field: 'scheduled',
    title: '已排/应排',
    width: 110,
    help: '已排的学时和面授、实践学时',
    fixed: 'left',
    render: (row) => <Word tone={hoursTone(row)}>{hoursWords(row)}</Word>,
  },
  { field: 'className', title: '班级', width: 180 },
  { field: 'gradeName', title: '年级', width: 90 },
  { field: 'majorName', title: '专业', width: 150 },
  { field: 'siteName', width: 150 },
  { field: 'students', width: 80 },
  { field: 'teacherName', title: '主讲', width: 100 },
])

interface PendingsProps {
  semester: Choice | undefined
  /** To the wizard, with the ticked classes or with all of the semester that is shown. */
  onAutomatic: (rows: readonly Pending[], shown: Choice | undefined) => void
  /** To what is arranged of a class. */
  onShow: (filters: Record<string, string>) => void
}

/** 待排课程: the classes of courses that are taught face to face, with how many of their hours are arranged. */
export const Pendings = ({ semester, onAutomatic, onShow }: PendingsProps) => {
  const table = useQueryTable(listPendingCourses, { usual: { semesterId: semester?.code } })
  const form = useDrawer<ArrangeWish>()
  const shown = useShownSemester(table.filters.semesterId, semester)
  return (
    <>
      <FilterBar table={table}>
        <SemesterFilter of={listPendingCourses} field="semesterId" {...semesters} usual={semester} />
        <OptionFilter of={listPendingCourses} field="courseId" {...courses} />
        <OptionFilter of={listPendingCourses} field="classId" {...classes} />
        <SelectFilter
          of={listPendingCourses}
          field="unfinished"
          label="学时"
          options={[{ value: 'true', label: '未排满' }]}
        />
        <OptionFilter of={listPendingCourses} field="siteId" {...sites} />
        <OptionFilter of={listPendingCourses} field="teacherId" {...teachers} />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={(row) => `${row.courseName} ${row.className}`}
        primary={
          <Can do={arrangeAutomatically}>
            <Button type="primary" onClick={() => onAutomatic([], shown)}>
              自动排课
            </Button>
          </Can>
        }
        bulk={[{ label: '自动排课', do: arrangeAutomatically, open: () => onAutomatic(table.tickedRows, shown) }]}
        actionsWidth={150}
        actions={(row) => [
          { label: '排课', do: saveArrange, onClick: () => form.open({ pending: row }) },
          {
            label: '查看排课',
            do: listArranges,
            onClick: () =>
              onShow({
                courseId: String(row.courseId),
                classId: String(row.classId),
                ...(shown && { semesterId: String(shown.code) }),
              }),
          },
        ]}
        empty="该学期没有面授或混合教学的课程。请在“开课管理”中开课并设置教学方式。"
      />
      <ArrangeForm key={form.key} {...form.props} semester={shown} />
    </>
  )
}
