import { Button, Space } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import { useState } from 'react'
import { grades, levels, majors, semesters } from '@/basic_data/choices'
import { bulkStep, type RowAction } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { confirm } from '@/kit/confirm'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { EnumFilter, OptionFilter, SelectFilter, TextFilter } from '@/kit/filters'
import { formatNumber, formatTenths } from '@/kit/format'
import { ImportButton } from '@/kit/ImportWizard'
import type { Choice } from '@/kit/OptionSelect'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { Segments } from '@/kit/Segments'
import { removal } from '@/kit/steps'
import { useAction } from '@/kit/useAction'
import { useAddress } from '@/kit/useAddress'
import { useDrawer } from '@/kit/useDrawer'
import { useQueryTable } from '@/kit/useQueryTable'
import {
  cancelOpenings,
  closeOpenings,
  deleteOpening,
  editOpening,
  exportOpenings,
  fetchCourseOpeningImportTemplate,
  generateOpenings,
  importCourseOpenings,
  listOpenings,
  openOpenings,
  saveOpening,
  syncOpenings,
  viewOpening,
} from './api'
import { courses } from './choices'
import { GenerateOpenings } from './GenerateOpenings'
import { OpeningFile } from './OpeningFile'
import { CancelForm, OpeningForm, SettingsForm, SettingsOfMany, type TickedOpenings } from './OpeningForms'
import { can, filling, isGoingOn, nameOf, type Opening, statusTones } from './openingRules'
import { itemOf, stepsOf } from './openingSteps'
import { InSemester, SemesterFilter } from './SemesterFilter'
import { SYNC_MEANING, tellSynced } from './SyncRosters'
import { useShownSemester } from './useSemester'

/** What an opening for everybody has in the place of a grade, a level, a major. */
const orAny = (name: string | null | undefined) => name ?? <span className="nothing">不限</span>

const columns = columnsOf(listOpenings, [
  { field: 'courseName', title: '课程', width: 190, fixed: 'left' },
  { field: 'courseCode', under: 'courseName' },
  { field: 'status', title: '状态', width: 84, fixed: 'left', tones: statusTones },
  { field: 'gradeName', title: '年级', width: 84, render: ({ gradeName }) => orAny(gradeName) },
  { field: 'levelName', title: '层次', width: 84, render: ({ levelName }) => orAny(levelName) },
  { field: 'majorName', title: '专业', width: 140, render: ({ majorName }) => orAny(majorName) },
  { field: 'termNo', width: 76 },
  { field: 'nature', width: 76 },
  { field: 'credits', width: 70, render: ({ credits }) => formatTenths(credits) },
  { field: 'hours', width: 70 },
  { field: 'teachingMode', width: 88 },
  { field: 'selectedCount', title: '选课人数/上限', width: 120, help: '待审核、已选和已完成的人数', render: filling },
  {
    field: 'allocatedCount',
    title: '任课班级',
    width: 90,
    help: '已安排主讲的班级数 / 班级数',
    render: ({ allocatedCount, classCount }) => `${allocatedCount} / ${classCount}`,
  },
  { field: 'homeworkCount', title: '作业数', width: 76, help: '已发布和已截止的作业' },
  { field: 'kind', width: 88 },
  { field: 'semesterName', title: '学期', width: 150 },
  { field: 'typeName', width: 120, hidden: true },
  { field: 'groupName', width: 120, hidden: true },
  { field: 'examForm', hidden: true },
  { field: 'assessMode', hidden: true },
  { field: 'openedAt', hidden: true },
  { field: 'closedAt', hidden: true },
  { field: 'cancelReason', width: 160, hidden: true },
  { field: 'remark', width: 160, hidden: true },
])

const yesOrNo = (yes: string, no: string) => [
  { value: 'true', label: yes },
  { value: 'false', label: no },
]

/** `?generate=12`: begins with the generation for a semester, as other pages lead here. */
const GENERATE = 'generate'
const useGeneration = () => {
  const [search, change] = useAddress()
  const [open, setOpen] = useState(false)
  const asked = Number(search.get(GENERATE)) || undefined
  return {
    isOpen: open || asked !== undefined,
    asked,
    start: () => setOpen(true),
    end: () => {
      setOpen(false)
      if (asked === undefined) return
      change((before) => {
        const after = new URLSearchParams(before)
        after.delete(GENERATE)
        return after
      })
    },
  }
}

const useSync = (done: () => void) =>
  useAction(syncOpenings, {
    onDone: (answer) => {
      done()
      tellSynced(answer)
    },
  })

const Openings = ({ semester }: { semester: Choice | undefined }) => {
  const table = useQueryTable(listOpenings, { usual: { semesterId: semester?.code } })
  const shown = useShownSemester(table.filters.semesterId, semester)
  const generation = useGeneration()
  const form = useDrawer<true>()
  const settings = useDrawer<Opening>()
  const settingsOfMany = useDrawer<TickedOpenings>()
  const cancel = useDrawer<TickedOpenings>()
  const sync = useSync(table.clearSelection)
  const ticked = (rows: TickedOpenings['rows'], count: number): TickedOpenings => ({
    rows,
    count,
    shown: 'items' in rows ? table.tickedRows : [],
    done: (failed = []) => (failed.length > 0 ? table.tickRows(failed) : table.clearSelection()),
  })
  const syncAll = async (ids: readonly number[], what: string) => {
    const asked = { title: `同步${what}的名单？`, content: SYNC_MEANING, okText: '同步名单' }
    if (await confirm(asked)) sync.mutate({ body: { ids: [...ids] } })
  }
  const actionsOf = (row: Opening): RowAction[] => [
    ...stepsOf(row),
    { label: '设置', do: editOpening, disabled: can.edit(row), onClick: () => settings.open(row) },
    ...(row.status === 'opened'
      ? [{ label: '同步名单', do: syncOpenings, onClick: () => syncAll([row.id], `“${nameOf(row)}”`) }]
      : []),
    { label: '查看', do: viewOpening, onClick: () => table.open(row) },
    ...(isGoingOn(row)
      ? [
          {
            label: '取消开课',
            do: cancelOpenings,
            danger: true,
            onClick: () =>
              cancel.open({ rows: { items: [itemOf(row)] }, count: 1, shown: [row], done: table.clearSelection }),
          },
        ]
      : []),
    ...(row.status === 'draft' ? [removal(deleteOpening, { id: row.id, name: nameOf(row) })] : []),
  ]
  return (
    <>
      <Segments table={table} field="status" label="开课状态" />
      <FilterBar table={table}>
        <SemesterFilter of={listOpenings} field="semesterId" {...semesters} usual={semester} />
        <OptionFilter of={listOpenings} field="gradeId" {...grades} />
        <OptionFilter of={listOpenings} field="majorId" {...majors} />
        <TextFilter of={listOpenings} field="keyword" />
        <OptionFilter of={listOpenings} field="levelId" {...levels} />
        <OptionFilter of={listOpenings} field="courseId" {...courses} />
        <EnumFilter of={listOpenings} field="nature" />
        <EnumFilter of={listOpenings} field="teachingMode" />
        <EnumFilter of={listOpenings} field="kind" />
        <SelectFilter of={listOpenings} field="allocated" options={yesOrNo('已有任课', '没有任课')} />
        <SelectFilter of={listOpenings} field="hasRecords" options={yesOrNo('有课程资源', '没有课程资源')} />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={nameOf}
        primary={
          <Can do={generateOpenings}>
            <Button type="primary" icon={<IconPlus />} onClick={generation.start}>
              按计划生成
            </Button>
          </Can>
        }
        tools={
          <Space size={4}>
            <Can do={saveOpening}>
              <Button onClick={() => form.open(true)}>计划外开课</Button>
            </Can>
            <ImportButton do={importCourseOpenings} template={fetchCourseOpeningImportTemplate} what="开课" />
            <ExportButton do={exportOpenings} table={table} />
          </Space>
        }
        bulk={[
          bulkStep(openOpenings, {
            label: '批量开课',
            confirm: (count) => ({
              title: `开课选中的${formatNumber(count)}门课程？`,
              content: '必修课程的在籍学生同时进入名单；不是待开课的会保留并说明原因。',
            }),
            input: () => ({ body: { items: table.tickedRows.map(itemOf) } }),
            all: (filter) => ({ body: { filter } }),
          }),
          bulkStep(closeOpenings, {
            label: '批量结课',
            confirm: (count) => ({
              title: `结课选中的${formatNumber(count)}门课程？`,
              content: '结课后名单和任课安排不能再修改，不能恢复；不是已开课的会保留并说明原因。',
            }),
            input: () => ({ body: { items: table.tickedRows.map(itemOf) } }),
            all: (filter) => ({ body: { filter } }),
          }),
          {
            label: '同步名单',
            do: syncOpenings,
            open: (ids) => syncAll(ids, `选中的${formatNumber(ids.length)}个开课`),
          },
          {
            label: '设置教学方式/上限',
            do: editOpening,
            open: (ids) => settingsOfMany.open(ticked({ items: table.tickedRows.map(itemOf) }, ids.length)),
          },
          {
            label: '取消开课',
            do: cancelOpenings,
            open: (ids) => cancel.open(ticked({ items: table.tickedRows.map(itemOf) }, ids.length)),
            openAll: (filter, count) => cancel.open(ticked({ filter }, count)),
          },
        ]}
        file={(row) => <OpeningFile opening={row} />}
        actionsWidth={200}
        actions={actionsOf}
        empty="该学期还没有开课。点击“按计划生成”，或用“计划外开课”新增。"
      />
      <OpeningForm key={`form-${form.key}`} {...form.props} semester={shown} />
      <SettingsForm key={`settings-${settings.key}`} {...settings.props} />
      <SettingsOfMany key={`many-${settingsOfMany.key}`} {...settingsOfMany.props} />
      <CancelForm key={`cancel-${cancel.key}`} {...cancel.props} />
      {generation.isOpen && (
        <Can do={generateOpenings}>
          <GenerateOpenings
            semester={shown}
            askedId={generation.asked}
            onClose={generation.end}
            onShow={(semesterId) => {
              generation.end()
              table.setFilters({ semesterId: String(semesterId), status: 'draft' })
            }}
          />
        </Can>
      )}
    </>
  )
}

/** 开课管理: the courses that are taught in a semester, from draft to their end (03 B2). */
export const OpeningsPage = () => (
  <Page title="开课管理" help="按生效的教学计划生成一个学期的开课；开课后学生进入名单，结课或取消后不再变动。">
    <InSemester>{(semester) => <Openings key={semester?.code} semester={semester} />}</InSemester>
  </Page>
)
