import { Space } from '@arco-design/web-react'
import { useState } from 'react'
import { classes, semesters, teachers } from '@/basic_data/choices'
import { courses } from '@/course_opening/choices'
import { SemesterFilter } from '@/course_opening/SemesterFilter'
import { columnsOf } from '@/kit/columns'
import { FilterBar } from '@/kit/FilterBar'
import { DateRangeFilter, OptionFilter } from '@/kit/filters'
import { ImportButton } from '@/kit/ImportWizard'
import type { Choice } from '@/kit/OptionSelect'
import { QueryTable } from '@/kit/QueryTable'
import { Word } from '@/kit/Status'
import { useUnsaved } from '@/kit/tab'
import { useQueryTable } from '@/kit/useQueryTable'
import { AttendanceRoster } from './AttendanceRoster'
import { fetchAttendanceImportTemplate, importAttendance, listAttendance, listAttendanceSessions } from './api'
import { type Chosen, type Session, sessionName } from './instructionRules'

const NOTHING: Chosen = new Map()

const registeredTone = ({ registered, students }: Session) => {
  if (registered === 0) return 'quiet'
  return registered < students ? 'warning' : 'good'
}

const columns = columnsOf(listAttendanceSessions, [
  { field: 'courseName', title: '课程', width: 180, fixed: 'left' },
  { field: 'courseCode', under: 'courseName' },
  {
    field: 'registered',
    title: '已登记/应到',
    width: 110,
    fixed: 'left',
    render: (row) => (
      <Word tone={registeredTone(row)}>
        {row.registered} / {row.students}
      </Word>
    ),
  },
  { field: 'date', width: 120 },
  {
    field: 'periodFrom',
    title: '节次',
    width: 90,
    align: 'left',
    render: ({ periodFrom, periodTo }) =>
      periodFrom === periodTo ? `第${periodFrom}节` : `第${periodFrom}-${periodTo}节`,
  },
  { field: 'classNames', title: '班级', width: 220 },
  { field: 'teacherName', title: '教师', width: 100 },
  { field: 'classroomName', title: '教室', width: 120 },
  { field: 'siteName', width: 150 },
])

/** 考勤登记: the sessions that were published, each with its roster. */
export const AttendanceSessions = ({ semester }: { semester: Choice | undefined }) => {
  const table = useQueryTable(listAttendanceSessions, { usual: { semesterId: semester?.code } })
  const [chosen, setChosen] = useState<ReadonlyMap<number, Chosen>>(new Map())
  useUnsaved([...chosen.values()].some(({ size }) => size > 0))
  return (
    <>
      <FilterBar table={table}>
        <SemesterFilter of={listAttendanceSessions} field="semesterId" {...semesters} usual={semester} />
        <OptionFilter of={listAttendanceSessions} field="courseId" {...courses} />
        <OptionFilter of={listAttendanceSessions} field="classId" {...classes} />
        <OptionFilter of={listAttendanceSessions} field="teacherId" {...teachers} />
        <DateRangeFilter of={listAttendanceSessions} from="dateFrom" to="dateTo" label="日期" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={sessionName}
        tools={
          <Space size={4}>
            <ImportButton do={importAttendance} template={fetchAttendanceImportTemplate} what="面授考勤" />
          </Space>
        }
        file={(row) => (
          <AttendanceRoster
            key={row.id}
            session={row}
            chosen={chosen.get(row.id) ?? NOTHING}
            onChoose={(change) =>
              setChosen((before) => new Map([...before, [row.id, change(before.get(row.id) ?? NOTHING)]]))
            }
          />
        )}
        actionsWidth={110}
        actions={(row) => [{ label: '登记考勤', do: listAttendance, onClick: () => table.open(row) }]}
        empty="该学期没有已发布的课次。请在“面授排课”中排课并发布。"
      />
    </>
  )
}
