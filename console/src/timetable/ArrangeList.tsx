import { Button, Space } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import { classes, semesters, sites, teachers } from '@/basic_data/choices'
import { courses } from '@/course_opening/choices'
import { SemesterFilter } from '@/course_opening/SemesterFilter'
import { useShownSemester } from '@/course_opening/useSemester'
import { bulkStep, type RowAction, step } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { DateRangeFilter, EnumFilter, OptionFilter } from '@/kit/filters'
import { formatNumber } from '@/kit/format'
import { ImportButton } from '@/kit/ImportWizard'
import type { Choice } from '@/kit/OptionSelect'
import { QueryTable } from '@/kit/QueryTable'
import { Word } from '@/kit/Status'
import { useDrawer } from '@/kit/useDrawer'
import { useQueryTable } from '@/kit/useQueryTable'
import { ArrangeFile } from './ArrangeFile'
import { ArrangeForm, type ArrangeWish } from './ArrangeForm'
import {
  arrangeAutomatically,
  cancelArrange,
  deleteArrange,
  editArrange,
  exportArranges,
  fetchArrangeImportTemplate,
  importArranges,
  listArranges,
  publishArranges,
  saveArrange,
  viewArrange,
} from './api'
import { classrooms } from './choices'
import { CancelArrangeForm } from './SessionForms'
import {
  type Arrange,
  can,
  hoursTone,
  hoursWords,
  leastArranged,
  nameOf,
  statusTones,
  timeWords,
} from './timetableRules'

const columns = columnsOf(listArranges, [
  { field: 'courseName', title: '课程', width: 160, fixed: 'left' },
  { field: 'courseCode', under: 'courseName' },
  { field: 'status', title: '状态', width: 84, fixed: 'left', tones: statusTones },
  {
    field: 'classes',
    title: '班级',
    width: 180,
    render: (row) => row.classes.map(({ className }) => className).join('、'),
  },
  { field: 'teacherName', title: '教师', width: 90 },
  { field: 'periodFrom', title: '时间', width: 190, align: 'left', render: timeWords },
  { field: 'classroomName', title: '教室', width: 110 },
  {
    field: 'students',
    title: '人数/容量',
    width: 100,
    render: ({ students, capacity }) => `${formatNumber(students)} / ${formatNumber(capacity) || '—'}`,
  },
  {
    field: 'sessions',
    title: '已排/应排',
    width: 110,
    help: '班级这门课程已排的学时和面授、实践学时；合班为排得最少的班级',
    render: ({ classes }) => {
      const least = leastArranged(classes)
      const all = classes.map((each) => `${each.className} ${hoursWords(each)}`).join('、')
      return (
        least && (
          <span title={all}>
            <Word tone={hoursTone(least)}>{hoursWords(least)}</Word>
          </span>
        )
      )
    },
  },
  { field: 'kind', width: 90 },
  { field: 'siteName', width: 130 },
  { field: 'mode', width: 90, hidden: true },
  { field: 'semesterName', title: '学期', width: 150, hidden: true },
  { field: 'publishedAt', width: 170, hidden: true },
  { field: 'remark', width: 150, hidden: true },
])

interface ArrangeListProps {
  semester: Choice | undefined
  /** To the wizard of the automatic arrangement, for the semester that is shown. */
  onAutomatic: (shown: Choice | undefined) => void
}

/** 列表: what is arranged in a semester, from draft to its end. */
export const ArrangeList = ({ semester, onAutomatic }: ArrangeListProps) => {
  const table = useQueryTable(listArranges, { usual: { semesterId: semester?.code } })
  const shown = useShownSemester(table.filters.semesterId, semester)
  const form = useDrawer<ArrangeWish>()
  const cancel = useDrawer<Arrange>()
  const actionsOf = (row: Arrange): RowAction[] => [
    { label: '编辑', do: editArrange, disabled: can.edit(row), onClick: () => form.open({ arrange: row }) },
    step(publishArranges, {
      label: '发布',
      disabled: can.publish(row),
      with: { body: { items: [{ id: row.id, version: row.version }] } },
      confirm: { title: `发布“${nameOf(row)}”？`, content: '发布后学生和教师可以看到，之后的变动请调课、停课或取消。' },
      done: `已发布${row.courseName}的排课`,
    }),
    { label: '查看', do: viewArrange, onClick: () => table.open(row) },
    { label: '取消', do: cancelArrange, danger: true, disabled: can.cancel(row), onClick: () => cancel.open(row) },
    step(deleteArrange, {
      label: '删除',
      danger: true,
      disabled: can.delete(row),
      with: { query: { id: row.id } },
      confirm: { title: `删除“${nameOf(row)}”的排课？`, content: '草稿和它的全部课次一起删除，不能恢复。' },
      done: '已删除排课',
    }),
  ]
  return (
    <>
      <FilterBar table={table}>
        <SemesterFilter of={listArranges} field="semesterId" {...semesters} usual={semester} />
        <OptionFilter of={listArranges} field="courseId" {...courses} />
        <OptionFilter of={listArranges} field="teacherId" {...teachers} />
        <OptionFilter of={listArranges} field="classId" {...classes} />
        <EnumFilter of={listArranges} field="status" label="状态" />
        <OptionFilter of={listArranges} field="siteId" {...sites} />
        <OptionFilter of={listArranges} field="classroomId" {...classrooms} />
        <EnumFilter of={listArranges} field="kind" />
        <DateRangeFilter of={listArranges} from="dateFrom" to="dateTo" label="上课日期" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={nameOf}
        primary={
          <Space size={8}>
            <Can do={saveArrange}>
              <Button type="primary" icon={<IconPlus />} onClick={() => form.open()}>
                新增面授排课
              </Button>
            </Can>
            <Can do={arrangeAutomatically}>
              <Button onClick={() => onAutomatic(shown)}>自动排课</Button>
            </Can>
          </Space>
        }
        tools={
          <Space size={4}>
            <ImportButton do={importArranges} template={fetchArrangeImportTemplate} what="面授排课" />
            <ExportButton do={exportArranges} table={table} />
          </Space>
        }
        bulk={[
          bulkStep(publishArranges, {
            label: '批量发布',
            confirm: (count) => ({
              title: `发布选中的${formatNumber(count)}个排课？`,
              content: '发布后学生和教师可以看到；不是草稿的会保留并说明原因。',
            }),
            input: () => ({ body: { items: table.tickedRows.map(({ id, version }) => ({ id, version })) } }),
            all: (filter) => ({ body: { filter } }),
          }),
        ]}
        file={(row) => <ArrangeFile arrange={row} />}
        actionsWidth={190}
        actions={actionsOf}
        empty="该学期还没有排课。点击“新增面授排课”，或在“待排课程”中自动排课。"
      />
      <ArrangeForm key={`form-${form.key}`} {...form.props} semester={shown} />
      <CancelArrangeForm key={`cancel-${cancel.key}`} {...cancel.props} />
    </>
  )
}
