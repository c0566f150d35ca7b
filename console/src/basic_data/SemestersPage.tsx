import { Button, DatePicker, Space, Tag } from '@arco-design/web-react'
import { IconClose, IconPlus } from '@arco-design/web-react/icon'
import { useQuery } from '@tanstack/react-query'
import type { RowOf } from '@/api/operation'
import { isOverAll, schoolOf, useCall, useSchoolContext } from '@/api/schoolContext'
import { bulkStep, step } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { fieldsOf } from '@/kit/Field'
import { FilterBar } from '@/kit/FilterBar'
import { FormDrawer } from '@/kit/FormDrawer'
import { EnumFilter, SelectFilter, TextFilter } from '@/kit/filters'
import { formAction } from '@/kit/formAction'
import { ImportButton } from '@/kit/ImportWizard'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { Word } from '@/kit/Status'
import { askRemoval, removal } from '@/kit/steps'
import { type DrawerProps, useDrawer } from '@/kit/useDrawer'
import { useQueryTable } from '@/kit/useQueryTable'
import { historyOf } from '@/logs/RecordHistory'
import {
  closeSemester,
  deleteSemester,
  deleteSemesters,
  editSemester,
  exportSemesters,
  fetchSemesterImportTemplate,
  importSemesters,
  listSemesters,
  reopenSemester,
  saveSemester,
  setCurrentSemester,
  viewCurrentSemester,
  viewSemester,
} from './api'
import { daysBetween, together } from './holidays'

type Semester = RowOf<typeof listSemesters>

const columns = columnsOf(listSemesters, [
  { field: 'name', width: 180, fixed: 'left' },
  {
    field: 'closed',
    title: '状态',
    width: 90,
    fixed: 'left',
    render: (semester) => <Word tone={semester.closed ? 'quiet' : 'good'}>{semester.closed ? '已关闭' : '开放'}</Word>,
  },
  { field: 'code', width: 100, under: 'name' },
  { field: 'year', title: '年份', width: 70 },
  { field: 'season', width: 70 },
  { field: 'startsOn', width: 115 },
  { field: 'endsOn', width: 115 },
  { field: 'weekCount', width: 70 },
  {
    field: 'current',
    width: 105,
    render: (semester) => (semester.current ? <Word tone="good">当前学期</Word> : <span className="nothing">—</span>),
  },
  { field: 'holidays', hidden: true },
])

const yesNo = [
  { value: 'true', label: '是' },
  { value: 'false', label: '否' },
]

/** Which semester is now, and in which of its weeks we are; nothing over several schools. */
const useToday = () => {
  const call = useCall()
  const context = useSchoolContext()
  const current = useQuery({
    queryKey: [viewCurrentSemester.path, schoolOf(context)],
    queryFn: () => call(viewCurrentSemester, {}),
    enabled: !isOverAll(context),
  }).data
  if (!current) return ''
  const week = current.weekNo ? `第${current.weekNo}周` : '今天不在起止日期内'
  return `当前为${current.name}，${week}。`
}

/** 学期管理: the school's calendar. */
export const SemestersPage = () => {
  const today = useToday()
  const table = useQueryTable(listSemesters)
  const form = useDrawer<Semester>()
  const reopening = useDrawer<Semester>()
  return (
    <Page title="学期管理" help={`${today}每年两个学期，日期不能重叠；关闭后该学期的教学安排不能再修改。`}>
      <FilterBar table={table}>
        <TextFilter of={listSemesters} field="year" />
        <EnumFilter of={listSemesters} field="season" />
        <SelectFilter of={listSemesters} field="current" options={yesNo} />
        <SelectFilter of={listSemesters} field="closed" options={yesNo} />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={(semester) => semester.name}
        primary={
          <Can do={saveSemester}>
            <Button type="primary" icon={<IconPlus />} onClick={() => form.open()}>
              新增学期
            </Button>
          </Can>
        }
        tools={
          <>
            <ImportButton do={importSemesters} template={fetchSemesterImportTemplate} what="学期" />
            <ExportButton do={exportSemesters} table={table} />
          </>
        }
        bulk={[
          bulkStep(deleteSemesters, {
            label: '批量删除',
            danger: true,
            confirm: askRemoval('学期'),
            input: (ids) => ({ body: { ids } }),
          }),
        ]}
        detail={historyOf(viewSemester, 'semester')}
        actions={(semester) => [
          { label: '编辑', do: editSemester, onClick: () => form.open(semester) },
          step(setCurrentSemester, {
            label: '设为当前',
            disabled: semester.current ? '已是当前学期' : undefined,
            with: { body: { id: semester.id } },
            confirm: { title: `把“${semester.name}”设为当前学期？`, content: '原来的当前学期不会被关闭。' },
            done: `当前学期为“${semester.name}”`,
          }),
          semester.closed
            ? { label: '重新打开', do: reopenSemester, onClick: () => reopening.open(semester) }
            : step(closeSemester, {
                label: '关闭',
                with: { body: { id: semester.id, version: semester.version } },
                confirm: { title: `关闭“${semester.name}”？`, content: '关闭后该学期的教学安排不能再修改。' },
                done: `已关闭“${semester.name}”`,
              }),
          removal(deleteSemester, semester),
        ]}
        empty="还没有学期。点击“新增学期”，或下载模板批量导入。"
      />
      <SemesterForm key={form.key} {...form.props} />
      <Reopening key={`reopen-${reopening.key}`} {...reopening.props} />
    </Page>
  )
}

const Field = fieldsOf(saveSemester)

interface HolidaysProps {
  value?: string[]
  onChange?: (days: string[]) => void
}

/** Days without teaching: each is added by itself or with those up to another, and taken away by itself. */
const Holidays = ({ value = [], onChange }: HolidaysProps) => (
  <>
    <DatePicker.RangePicker
      style={{ width: '100%' }}
      placeholder={['添加停课日', '至（同一天即一天）']}
      inputProps={[{ 'aria-label': '停课开始' }, { 'aria-label': '停课结束' }]}
      value={[]}
      onChange={(days) => onChange?.(together(value, daysBetween(days?.[0], days?.[1])))}
    />
    <Space wrap size={4}>
      {value.map((day) => (
        <Tag
          key={day}
          closable
          closeIcon={<IconClose aria-label={`移除${day}`} />}
          onClose={() => onChange?.(value.filter((each) => each !== day))}
        >
          {day}
        </Tag>
      ))}
    </Space>
  </>
)

const SemesterForm = ({ record, ...drawer }: DrawerProps<Semester>) => (
  <FormDrawer
    {...drawer}
    record={record}
    title={record ? `编辑学期 ${record.name}` : '新增学期'}
    initial={{ holidays: [] }}
    action={(semester) =>
      semester ? formAction(editSemester, '已保存学期', semester) : formAction(saveSemester, '已新增学期')
    }
    reload={(semester, call) => call(viewSemester, { query: { id: semester.id } })}
  >
    <Field name="code" placeholder="例如 2026-1" />
    <Field name="name" help="留空时为“2026年春季学期”" />
    <Field name="startsOn" />
    <Field name="endsOn" />
    <Field name="holidays" help="可分多次添加，例如劳动节和端午节">
      <Holidays />
    </Field>
  </FormDrawer>
)

const ReasonField = fieldsOf(reopenSemester)

const Reopening = ({ record, ...drawer }: DrawerProps<Semester>) => (
  <FormDrawer<{ reason: string }, { id: number }>
    {...drawer}
    record={undefined}
    title={record ? `重新打开 ${record.name}` : ''}
    action={() =>
      formAction(reopenSemester, `已重新打开“${record?.name ?? ''}”`, { id: record?.id, version: record?.version })
    }
  >
    <ReasonField name="reason" />
  </FormDrawer>
)
