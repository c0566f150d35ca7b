import { Button, Space } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import type { Saved } from '@/api/types/shared'
import { sites } from '@/basic_data/choices'
import { bulkStep } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { fieldsOf } from '@/kit/Field'
import { FilterBar } from '@/kit/FilterBar'
import { FormDrawer } from '@/kit/FormDrawer'
import { DateRangeFilter, EnumFilter, OptionFilter, TextFilter } from '@/kit/filters'
import { formAction } from '@/kit/formAction'
import { ImportButton } from '@/kit/ImportWizard'
import { QueryTable } from '@/kit/QueryTable'
import { askRemoval, removal } from '@/kit/steps'
import { type DrawerProps, useDrawer } from '@/kit/useDrawer'
import { useQueryTable } from '@/kit/useQueryTable'
import { historyOf } from '@/logs/RecordHistory'
import {
  deleteDiscipline,
  deleteDisciplines,
  editDiscipline,
  exportDisciplines,
  fetchDisciplineImportTemplate,
  importDisciplines,
  listDisciplines,
  releaseDiscipline,
  saveDiscipline,
  viewDiscipline,
} from './api'
import { DisciplineForm } from './DisciplineForm'
import { can, type Discipline, disciplineTones } from './graduationWords'

const trail = historyOf(viewDiscipline, 'student_discipline')

const columns = columnsOf(listDisciplines, [
  { field: 'name', width: 110, fixed: 'left' },
  { field: 'studentNo', under: 'name' },
  { field: 'status', title: '状态', width: 84, fixed: 'left', tones: disciplineTones },
  { field: 'type', title: '处分类型', width: 100 },
  { field: 'documentNo', width: 150 },
  { field: 'reason', width: 220 },
  { field: 'decidedOn', width: 110 },
  { field: 'expiresOn', width: 110 },
  { field: 'releasedOn', width: 110 },
  { field: 'releaseReason', width: 160, hidden: true },
  { field: 'siteName', title: '站点', width: 140 },
  { field: 'className', width: 150 },
])

const Released = fieldsOf(releaseDiscipline)

const ReleaseForm = ({ record: row, ...drawer }: DrawerProps<Discipline>) => (
  <FormDrawer<{ releasedOn?: string; reason?: string }, Saved>
    {...drawer}
    record={undefined}
    title={`解除处分 ${row?.name ?? ''}`}
    okText="解除"
    action={() => formAction(releaseDiscipline, `已解除${row?.name}的处分`, { id: row?.id, version: row?.version })}
  >
    <Released name="releasedOn" />
    <Released name="reason" label="解除原因" />
  </FormDrawer>
)

/** 处分: what may keep a student from graduating. */
export const DisciplinesTab = () => {
  const table = useQueryTable(listDisciplines)
  const form = useDrawer<Discipline>()
  const release = useDrawer<Discipline>()
  return (
    <>
      <FilterBar table={table}>
        <TextFilter of={listDisciplines} field="keyword" label="学号或姓名" />
        <EnumFilter of={listDisciplines} field="type" label="处分类型" />
        <EnumFilter of={listDisciplines} field="status" label="状态" />
        <DateRangeFilter of={listDisciplines} from="decidedFrom" to="decidedTo" label="处分日期" />
        <OptionFilter of={listDisciplines} field="siteId" {...sites} />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={({ name }) => name}
        primary={
          <Can do={saveDiscipline}>
            <Button type="primary" icon={<IconPlus />} onClick={() => form.open()}>
              新增处分
            </Button>
          </Can>
        }
        tools={
          <Space size={4}>
            <ImportButton do={importDisciplines} template={fetchDisciplineImportTemplate} what="处分" />
            <ExportButton do={exportDisciplines} table={table} />
          </Space>
        }
        bulk={[
          bulkStep(deleteDisciplines, {
            label: '批量删除',
            danger: true,
            confirm: askRemoval('处分'),
            input: (ids) => ({ body: { ids } }),
          }),
        ]}
        detail={trail}
        actionsWidth={160}
        actions={(row) => [
          { label: '编辑', do: editDiscipline, disabled: can.amend(row), onClick: () => form.open(row) },
          { label: '解除', do: releaseDiscipline, disabled: can.release(row), onClick: () => release.open(row) },
          { ...removal(deleteDiscipline, row), disabled: can.removeDiscipline(row) },
        ]}
        empty="还没有处分记录。点击“新增处分”登记，或下载模板批量导入。"
      />
      <DisciplineForm key={form.key} {...form.props} />
      <ReleaseForm key={`release-${release.key}`} {...release.props} />
    </>
  )
}
