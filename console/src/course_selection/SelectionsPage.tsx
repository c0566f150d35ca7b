import { Button, Empty, Space } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import { useState } from 'react'
import { useAllowed } from '@/api/identity'
import { classes, grades, levels, majors, semesters, sites } from '@/basic_data/choices'
import { listStudentCredits, syncOpenings } from '@/course_opening/api'
import { courses, openingsOf } from '@/course_opening/choices'
import { InSemester, SemesterFilter } from '@/course_opening/SemesterFilter'
import { type StudentCredit, StudentCredits } from '@/course_opening/StudentCredits'
import { SyncRosters } from '@/course_opening/SyncRosters'
import { useShownSemester } from '@/course_opening/useSemester'
import { bulkStep, type RowAction, step, withSchool } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { Drawing } from '@/kit/Drawings'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { EnumFilter, OptionFilter, SelectFilter, TextFilter } from '@/kit/filters'
import { formatNumber, formatTenths } from '@/kit/format'
import { ImportButton } from '@/kit/ImportWizard'
import { MoreTools } from '@/kit/MoreTools'
import type { Choice } from '@/kit/OptionSelect'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { SchoolFirst } from '@/kit/SchoolFirst'
import { Segments } from '@/kit/Segments'
import { TabList } from '@/kit/TabList'
import { useDrawer } from '@/kit/useDrawer'
import { usePageTab } from '@/kit/usePageTab'
import { useQueryTable } from '@/kit/useQueryTable'
import { AddSelections } from './AddSelections'
import {
  auditSelections,
  dropSelections,
  exemptSelection,
  exportSelections,
  fetchSelectionImportTemplate,
  importSelections,
  listSelections,
  rejectSelections,
  retakeCourses,
  saveSelections,
  viewSelection,
} from './api'
import { RetakeCourses } from './RetakeCourses'
import { SelectionFile } from './SelectionFile'
import { DropForm, ExemptForm, RejectForm, type Ticked } from './SelectionForms'
import { Statistics } from './Statistics'
import { can, nameOf, type Selection, statusTones } from './selectionRules'

const columns = columnsOf(listSelections, [
  { field: 'name', width: 110, fixed: 'left' },
  { field: 'studentNo', under: 'name' },
  { field: 'status', width: 80, fixed: 'left', tones: statusTones },
  { field: 'courseName', title: '课程', width: 180 },
  { field: 'courseCode', under: 'courseName' },
  { field: 'nature', width: 76 },
  { field: 'credits', width: 66, render: ({ credits }) => formatTenths(credits) },
  { field: 'source', width: 70 },
  { field: 'attemptNo', width: 84 },
  { field: 'lecturer', width: 80 },
  {
    field: 'progress',
    title: '进度(%)',
    width: 84,
    render: ({ progress }) => progress?.toFixed(1) ?? '—',
  },
  { field: 'finalScore', title: '总评', width: 70, render: ({ finalScore }) => finalScore?.toFixed(1) ?? '—' },
  { field: 'siteName', width: 130 },
  { field: 'className', title: '班级', width: 160 },
  { field: 'selectedAt', width: 170 },
  { field: 'semesterName', title: '学期', width: 150 },
  { field: 'gradeName', width: 84, hidden: true },
  { field: 'levelName', width: 84, hidden: true },
  { field: 'majorName', width: 140, hidden: true },
  { field: 'passed', width: 90, hidden: true },
])

const itemOf = (row: Selection) => withSchool(row, { id: row.id, version: row.version })
/** Inside a school, whose steps take no other. */
const ownItemOf = ({ id, version }: Selection) => ({ id, version })

interface OfSemester {
  semester: Choice | undefined
}

interface ListProps extends OfSemester {
  beside: { tabs: readonly (readonly [value: string, label: string])[]; onChoose: (tab: string) => void }
  onAdd: (students: readonly Choice[]) => void
}

const SelectionList = ({ semester, beside, onAdd }: ListProps) => {
  const table = useQueryTable(listSelections, { usual: { semesterId: semester?.code } })
  const shown = useShownSemester(table.filters.semesterId, semester)
  const drop = useDrawer<Ticked>()
  const reject = useDrawer<Ticked>()
  const exempt = useDrawer<Selection>()
  const [dialog, setDialog] = useState<'retake' | 'sync'>()
  const close = () => setDialog(undefined)
  const ticked = (rows: Ticked['rows'], count: number): Ticked => ({
    rows,
    count,
    shown: 'items' in rows ? table.tickedRows : [],
    done: (failed = []) => (failed.length > 0 ? table.tickRows(failed) : table.clearSelection()),
  })
  const one = (row: Selection): Ticked => ({
    rows: { items: [itemOf(row)] },
    count: 1,
    shown: [row],
    done: table.clearSelection,
  })
  const audits = (row: Selection): RowAction[] =>
    row.status === 'pending'
      ? [
          step(auditSelections, {
            label: '审核通过',
            with: { body: { items: [ownItemOf(row)] } },
            done: `已通过${nameOf(row)}`,
          }),
          {
            label: '驳回',
            do: rejectSelections,
            danger: true,
            onClick: () => reject.open({ ...one(row), rows: { items: [ownItemOf(row)] } }),
          },
        ]
      : []
  return (
    <>
      <Segments table={table} field="status" label="选课状态" beside={beside} />
      <FilterBar table={table}>
        <SemesterFilter of={listSelections} field="semesterId" {...semesters} usual={semester} />
        <TextFilter of={listSelections} field="keyword" label="姓名或号码" />
        <OptionFilter of={listSelections} field="courseId" {...courses} />
        <OptionFilter of={listSelections} field="classId" {...classes} />
        <OptionFilter of={listSelections} field="openingId" {...openingsOf(shown?.code, false)} />
        <OptionFilter of={listSelections} field="gradeId" {...grades} />
        <OptionFilter of={listSelections} field="levelId" {...levels} />
        <OptionFilter of={listSelections} field="majorId" {...majors} />
        <OptionFilter of={listSelections} field="siteId" {...sites} />
        <EnumFilter of={listSelections} field="source" />
        <EnumFilter of={listSelections} field="nature" />
        <SelectFilter
          of={listSelections}
          field="repeated"
          label="修读次数"
          options={[
            { value: 'true', label: '大于1次' },
            { value: 'false', label: '第1次' },
          ]}
        />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={nameOf}
        primary={
          <Can do={saveSelections}>
            <Button type="primary" icon={<IconPlus />} onClick={() => onAdd([])}>
              补选
            </Button>
          </Can>
        }
        tools={
          <Space size={4}>
            <Can do={retakeCourses}>
              <Button onClick={() => setDialog('retake')}>重修选课</Button>
            </Can>
            <MoreTools of={[syncOpenings, importSelections]}>
              {shown && (
                <Can do={syncOpenings}>
                  <Button onClick={() => setDialog('sync')}>同步名单</Button>
                </Can>
              )}
              <ImportButton do={importSelections} template={fetchSelectionImportTemplate} what="选课" />
            </MoreTools>
            <ExportButton do={exportSelections} table={table} />
          </Space>
        }
        bulk={[
          {
            label: '批量退选',
            do: dropSelections,
            open: (ids) => drop.open(ticked({ items: table.tickedRows.map(itemOf) }, ids.length)),
            openAll: (filter, count) => drop.open(ticked({ filter }, count)),
          },
          bulkStep(auditSelections, {
            label: '批量审核',
            confirm: (count) => ({
              title: `通过选中的${formatNumber(count)}条选课？`,
              content: '不在待审核的会保留并说明原因。',
            }),
            input: () => ({ body: { items: table.tickedRows.map(ownItemOf) } }),
            all: (filter) => ({ body: { filter } }),
          }),
          {
            label: '批量驳回',
            do: rejectSelections,
            open: (ids) => reject.open(ticked({ items: table.tickedRows.map(ownItemOf) }, ids.length)),
            openAll: (filter, count) => reject.open(ticked({ filter }, count)),
          },
        ]}
        file={(row) => <SelectionFile id={row.id} />}
        actionsWidth={190}
        actions={(row) => [
          ...audits(row),
          {
            label: '退选',
            do: dropSelections,
            danger: true,
            disabled: can.drop(row),
            onClick: () => drop.open(one(row)),
          },
          { label: '免修', do: exemptSelection, disabled: can.exempt(row), onClick: () => exempt.open(row) },
          { label: '查看', do: viewSelection, onClick: () => table.open(row) },
        ]}
        empty="该学期还没有选课。开课后必修课程的学生自动进入名单，其他课程由学生选择或用“补选”办理。"
      />
      <DropForm key={`drop-${drop.key}`} {...drop.props} />
      <RejectForm key={`reject-${reject.key}`} {...reject.props} />
      <ExemptForm key={`exempt-${exempt.key}`} {...exempt.props} />
      {dialog === 'retake' && <RetakeCourses semester={shown} onClose={close} />}
      {dialog === 'sync' && shown && <SyncRosters semester={shown} onClose={close} />}
    </>
  )
}

const choiceOf = ({ id, name, studentNo, className }: StudentCredit): Choice => ({
  code: id,
  desc: [name, studentNo, className].filter(Boolean).join(' · '),
})

const LIST = 'list'
const STATISTICS = 'statistics'
const BELOW = 'below'

interface TabsProps extends OfSemester {
  tab: string
  /** The tabs beside the list's states. */
  others: readonly (readonly [value: string, label: string])[]
  onTab: (tab: string | undefined, filters?: Record<string, string>) => void
}

const Tabs = ({ tab, others, semester, onTab }: TabsProps) => {
  const [students, setStudents] = useState<readonly Choice[]>()
  const [done, setDone] = useState<() => void>()
  const add = (chosen: readonly Choice[], after?: () => void) => {
    setStudents(chosen)
    setDone(() => after)
  }
  return (
    <>
      {tab === LIST && (
        <SelectionList semester={semester} beside={{ tabs: others, onChoose: onTab }} onAdd={(chosen) => add(chosen)} />
      )}
      {tab === STATISTICS && <Statistics semester={semester} onShow={(filters) => onTab(undefined, filters)} />}
      {tab === BELOW && (
        <SchoolFirst>
          {semester ? (
            <StudentCredits
              below={semester}
              actions={(row) => [{ label: '补选', do: saveSelections, onClick: () => add([choiceOf(row)]) }]}
              bulk={(rows, clear) => [
                { label: '补选', do: saveSelections, open: () => add(rows.map(choiceOf), clear) },
              ]}
            />
          ) : (
            <Empty icon={<Drawing of="notSet" />} description="还没有学期。请先在“学期管理”中新增。" />
          )}
        </SchoolFirst>
      )}
      {students && (
        <AddSelections semester={semester} students={students} onClose={() => setStudents(undefined)} onDone={done} />
      )}
    </>
  )
}

/** 学生选课: the roster of every course, and what students and clerks change in it (03 B4). */
export const SelectionsPage = () => {
  const [asked, setTab] = usePageTab()
  const mayBelow = useAllowed()(listStudentCredits)
  const others = [[STATISTICS, '按课程统计'], ...(mayBelow ? ([[BELOW, '未选满学分学生']] as const) : [])] as const
  const tab = others.find(([value]) => value === asked)?.[0] ?? LIST
  return (
    <Page
      title="学生选课"
      help="每门课程的名单：必修课程开课时自动进入，选修由学生选择，补选和重修在这里办理。"
      personal
    >
      {tab !== LIST && (
        <div className="list-tabs">
          <TabList
            label="选课状态"
            tabs={[[LIST, '选课名单'], ...others]}
            value={tab}
            onChange={(next) => setTab(next === LIST ? undefined : next)}
          />
        </div>
      )}
      <InSemester>
        {(semester) => <Tabs key={semester?.code} tab={tab} others={others} semester={semester} onTab={setTab} />}
      </InSemester>
    </Page>
  )
}
