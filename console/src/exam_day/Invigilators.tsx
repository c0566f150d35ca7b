import { Button, Form, Space } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import type { BulkResult } from '@/api/types/shared'
import { sites, teachers } from '@/basic_data/choices'
import { bulkStep } from '@/kit/actions'
import { tellFailures } from '@/kit/BulkBar'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { EnumFilter, OptionFilter, SelectFilter, TextFilter } from '@/kit/filters'
import { formAction } from '@/kit/formAction'
import { formatNumber } from '@/kit/format'
import { ImportButton } from '@/kit/ImportWizard'
import { OptionSelect } from '@/kit/OptionSelect'
import { QueryTable } from '@/kit/QueryTable'
import { SeveralOptions } from '@/kit/SeveralOptions'
import { askRemoval, removal } from '@/kit/steps'
import { type DrawerProps, useDrawer } from '@/kit/useDrawer'
import { useQueryTable } from '@/kit/useQueryTable'
import { historyOf } from '@/logs/RecordHistory'
import {
  addTeacherWatchers,
  deleteInvigilator,
  deleteInvigilators,
  editInvigilator,
  exportInvigilators,
  fetchInvigilatorImportTemplate,
  importInvigilators,
  listInvigilators,
  saveInvigilator,
  viewInvigilator,
} from './api'
import type { Invigilator } from './dayRules'

const columns = columnsOf(listInvigilators, [
  { field: 'name', width: 120, fixed: 'left' },
  { field: 'workNo', under: 'name' },
  { field: 'kind', width: 100 },
  { field: 'gender', width: 66 },
  { field: 'phone', width: 130 },
  { field: 'siteName', title: '站点', width: 160 },
  { field: 'available', width: 76 },
  { field: 'dutyCount', width: 100 },
  { field: 'idCardNo', width: 180, hidden: true },
  { field: 'remark', width: 180, hidden: true },
])

const Field = fieldsOf(saveInvigilator)

/** A teacher is known already; of somebody from outside all is typed. */
const Person = ({ invigilator }: { invigilator: Invigilator | undefined }) => {
  const { form } = Form.useFormContext()
  const kind: string = Form.useWatch('kind', form) ?? invigilator?.kind ?? 'teacher'
  return kind === 'teacher' ? (
    <Field name="teacherId" required help="姓名、性别和手机号取自教师资料">
      <OptionSelect
        label="教师"
        {...teachers}
        known={invigilator?.teacherId ? { code: invigilator.teacherId, desc: invigilator.name } : undefined}
      />
    </Field>
  ) : (
    <>
      <Field name="name" required />
      <Field name="gender" />
      <Field name="phone" required />
      <Field name="idCardNo" />
    </>
  )
}

const InvigilatorForm = ({ record: invigilator, ...drawer }: DrawerProps<Invigilator>) => (
  <FormDrawer<Invigilator, { id: number }>
    {...drawer}
    record={invigilator}
    initial={{ kind: 'teacher', available: true }}
    title={invigilator ? `编辑监考员 ${invigilator.name}` : '新增监考员'}
    keep={['kind', 'siteId']}
    action={(row) =>
      row ? formAction(editInvigilator, '已保存监考员', row) : formAction(saveInvigilator, '已新增监考员')
    }
    reload={(row, call) => call(viewInvigilator, { query: { id: row.id } })}
  >
    <Field name="kind" />
    <Person invigilator={invigilator} />
    <Field name="siteId">
      <OptionSelect
        label="教学站点"
        {...sites}
        known={invigilator && { code: invigilator.siteId, desc: invigilator.siteName }}
      />
    </Field>
    <Field name="available" />
    <Field name="remark" />
  </FormDrawer>
)

const Teachers = fieldsOf(addTeacherWatchers)

/** 从教师库添加: several teachers at once. */
const TeachersForm = (drawer: DrawerProps<never>) => (
  <FormDrawer<{ siteId?: number; teacherIds?: number[] }, BulkResult>
    {...drawer}
    record={undefined}
    initial={{ teacherIds: [] }}
    title="从教师库添加监考员"
    okText="添加"
    action={() => formAction(addTeacherWatchers, ({ done }) => `已添加${formatNumber(done)}名监考员`)}
    onSaved={(answer) => {
      if (answer.failed.length > 0) tellFailures('添加监考员', answer)
    }}
  >
    <Teachers name="siteId">
      <OptionSelect label="教学站点" {...sites} />
    </Teachers>
    <Teachers name="teacherIds">
      <SeveralOptions label="教师" placeholder="请选择教师" {...teachers} />
    </Teachers>
  </FormDrawer>
)

/** 监考员: teachers and people from outside. */
export const Invigilators = () => {
  const table = useQueryTable(listInvigilators)
  const form = useDrawer<Invigilator>()
  const add = useDrawer<never>()
  return (
    <>
      <FilterBar table={table}>
        <TextFilter of={listInvigilators} field="name" />
        <OptionFilter of={listInvigilators} field="siteId" {...sites} />
        <EnumFilter of={listInvigilators} field="kind" />
        <SelectFilter
          of={listInvigilators}
          field="available"
          options={[
            { value: 'true', label: '可用' },
            { value: 'false', label: '不可用' },
          ]}
        />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={({ name }) => name}
        primary={
          <Space size={8}>
            <Can do={saveInvigilator}>
              <Button type="primary" icon={<IconPlus />} onClick={() => form.open()}>
                新增监考员
              </Button>
            </Can>
            <Can do={addTeacherWatchers}>
              <Button onClick={() => add.open()}>从教师库添加</Button>
            </Can>
          </Space>
        }
        tools={
          <>
            <ImportButton do={importInvigilators} template={fetchInvigilatorImportTemplate} what="监考员" />
            <ExportButton do={exportInvigilators} table={table} />
          </>
        }
        bulk={[
          bulkStep(deleteInvigilators, {
            label: '批量删除',
            danger: true,
            confirm: askRemoval('监考员'),
            input: (ids) => ({ body: { ids } }),
          }),
        ]}
        detail={historyOf(viewInvigilator, 'invigilator')}
        actions={(row) => [
          { label: '编辑', do: editInvigilator, onClick: () => form.open(row) },
          removal(deleteInvigilator, row),
          { label: '查看', do: viewInvigilator, onClick: () => table.open(row) },
        ]}
        empty="还没有监考员。从教师库添加本校教师，或新增、导入外聘人员。"
      />
      <InvigilatorForm key={`form-${form.key}`} {...form.props} />
      <TeachersForm key={`add-${add.key}`} {...add.props} />
    </>
  )
}
