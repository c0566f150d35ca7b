import { Button } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import { listOptions } from '@/api/infra'
import type { RowOf } from '@/api/operation'
import { bulkStep } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { EnabledFilter, EnumFilter, OptionFilter, TextFilter } from '@/kit/filters'
import { formatNumber } from '@/kit/format'
import { ImportButton } from '@/kit/ImportWizard'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { askRemoval, removal, switching } from '@/kit/steps'
import { useDrawer } from '@/kit/useDrawer'
import { useQueryTable } from '@/kit/useQueryTable'
import { historyOf } from '@/logs/RecordHistory'
import { fetchClassImportTemplate, importClasses, setClassManager } from '@/people/api'
import { viewClassRoster } from '@/student_status/api'
import { AppointManager, type Appointment } from './AppointManager'
import {
  changeClassStatus,
  deleteClass,
  deleteClasses,
  editClass,
  exportClasses,
  listClasses,
  saveClass,
  viewClass,
} from './api'
import { basicOptions } from './BasicSelect'
import { ClassForm } from './ClassForm'
import { ClassRoster } from './ClassRoster'
import { GenerateClasses } from './GenerateClasses'

type Class = RowOf<typeof listClasses>

const columns = columnsOf(listClasses, [
  { field: 'name', width: 240, fixed: 'left' },
  { field: 'enabled', fixed: 'left' },
  { field: 'code', width: 110, under: 'name' },
  { field: 'gradeName', title: '年级', width: 100 },
  { field: 'levelName', title: '层次', width: 100 },
  { field: 'majorName', title: '专业' },
  'studyForm',
  { field: 'siteName', title: '站点' },
  { field: 'managerName', title: '班主任', width: 100 },
  {
    field: 'studentCount',
    title: '人数/容量',
    help: '待注册、在籍、休学和超学制的学生',
    width: 110,
    render: (group) => `${formatNumber(group.studentCount)} / ${formatNumber(group.capacity)}`,
  },
  { field: 'graduatedAt', hidden: true },
  { field: 'remark', hidden: true },
])

/** 班级管理: grade + level + major + site. */
export const ClassesPage = () => {
  const table = useQueryTable(listClasses)
  const form = useDrawer<Class>()
  const roster = useDrawer<Class>()
  const appointment = useDrawer<Appointment>()
  const chosen = (): Appointment => {
    const rows = table.tickedRows
    const [first] = rows
    return {
      items: rows.map(({ id, version }) => ({ id, version })),
      siteId: rows.every(({ siteId }) => siteId === first?.siteId) ? first?.siteId : undefined,
      done: table.clearSelection,
    }
  }
  return (
    <Page title="班级管理" help="年级、层次、专业和站点相同的学生编成行政班；有学生后不能修改这四项。">
      <FilterBar table={table}>
        <TextFilter of={listClasses} field="keyword" />
        <OptionFilter of={listClasses} field="gradeId" options={listOptions} query={basicOptions('grade')} />
        <OptionFilter of={listClasses} field="levelId" options={listOptions} query={basicOptions('level')} />
        <OptionFilter of={listClasses} field="majorId" options={listOptions} query={basicOptions('major')} />
        <EnumFilter of={listClasses} field="studyForm" />
        <OptionFilter of={listClasses} field="siteId" options={listOptions} query={basicOptions('site')} />
        <OptionFilter of={listClasses} field="managerId" options={listOptions} query={basicOptions('classManager')} />
        <EnabledFilter of={listClasses} field="enabled" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={(group) => group.name}
        primary={
          <Can do={saveClass}>
            <Button type="primary" icon={<IconPlus />} onClick={() => form.open()}>
              新增班级
            </Button>
          </Can>
        }
        tools={
          <>
            <GenerateClasses />
            <ImportButton do={importClasses} template={fetchClassImportTemplate} what="班级" />
            <ExportButton do={exportClasses} table={table} />
          </>
        }
        bulk={[
          { label: '设置班主任', do: setClassManager, open: () => appointment.open(chosen()) },
          bulkStep(setClassManager, {
            label: '取消班主任',
            danger: true,
            confirm: (count) => ({ title: `取消选中的${count}个班级的班主任？`, content: '这些班级将没有班主任。' }),
            input: () => ({ body: { items: chosen().items } }),
          }),
          bulkStep(deleteClasses, {
            label: '批量删除',
            danger: true,
            confirm: askRemoval('班级'),
            input: (ids) => ({ body: { ids } }),
          }),
        ]}
        detail={historyOf(viewClass, 'class')}
        actionsWidth={180}
        actions={(group) => [
          { label: '编辑', do: editClass, onClick: () => form.open(group) },
          { label: '花名册', do: viewClassRoster, onClick: () => roster.open(group) },
          switching(changeClassStatus, group),
          removal(deleteClass, group),
        ]}
        empty="还没有班级。点击“新增班级”，或下载模板批量导入。"
      />
      <ClassForm key={form.key} {...form.props} />
      <ClassRoster key={`roster-${roster.key}`} {...roster.props} />
      <AppointManager key={`manager-${appointment.key}`} {...appointment.props} />
    </Page>
  )
}
