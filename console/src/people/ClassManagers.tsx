import { Button } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import { listOptions } from '@/api/infra'
import type { RowOf } from '@/api/operation'
import { BasicSelect, basicOptions, known } from '@/basic_data/BasicSelect'
import { bulkStep } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { fieldsOf } from '@/kit/Field'
import { FilterBar } from '@/kit/FilterBar'
import { FormDrawer } from '@/kit/FormDrawer'
import { EnumFilter, OptionFilter, TextFilter } from '@/kit/filters'
import { formAction } from '@/kit/formAction'
import { ImportButton } from '@/kit/ImportWizard'
import { Masked } from '@/kit/Masked'
import { PersonOfList } from '@/kit/PersonOfList'
import { QueryTable } from '@/kit/QueryTable'
import { SeveralOptions } from '@/kit/SeveralOptions'
import { askRemoval, removal } from '@/kit/steps'
import { accountTones, staffTones } from '@/kit/tones'
import { type DrawerProps, useDrawer } from '@/kit/useDrawer'
import { useQueryTable } from '@/kit/useQueryTable'
import { historyOf } from '@/logs/RecordHistory'
import { AllocateClasses } from './AllocateClasses'
import { accountBulk, accountSteps } from './accounts'
import {
  allocateClasses,
  changeClassManagerStatus,
  deleteClassManager,
  deleteClassManagers,
  editClassManager,
  exportClassManagers,
  fetchClassManagerImportTemplate,
  importClassManagers,
  listClassManagers,
  resetClassManagerPasswords,
  saveClassManager,
  signInAsClassManager,
  unlockClassManagerAccount,
  viewClassManager,
} from './api'
import { usePasswordReset } from './GivenPasswords'
import { IdCardInput } from './IdCardInput'
import { OneClick, signingIn } from './OneClick'

type ClassManager = RowOf<typeof listClassManagers>

const calls = {
  change: changeClassManagerStatus,
  reset: resetClassManagerPasswords,
  unlock: unlockClassManagerAccount,
}

const trail = historyOf(viewClassManager, 'class_manager')

const columns = columnsOf(listClassManagers, [
  { field: 'name', width: 110, fixed: 'left' },
  { field: 'status', width: 80, fixed: 'left', tones: staffTones },
  { field: 'accountState', width: 90, fixed: 'left', tones: accountTones },
  { field: 'workNo', width: 110, under: 'name' },
  {
    field: 'phone',
    width: 155,
    render: (row) => <Masked entity="classManager" id={row.id} field="phone" label="手机" value={row.phone} />,
  },
  { field: 'siteNames', title: '站点', width: 200 },
  { field: 'classCount', width: 90 },
  { field: 'studentCount', width: 110, help: '待注册、在籍、休学和超学制的学生' },
  'lastLoginAt',
  { field: 'gender', hidden: true },
  { field: 'teacherName', hidden: true },
  { field: 'loginName', hidden: true },
  { field: 'mustChange', hidden: true },
  { field: 'remark', hidden: true },
])

export const ClassManagers = () => {
  const table = useQueryTable(listClassManagers)
  const form = useDrawer<ClassManager>()
  const allocation = useDrawer<ClassManager>()
  const signIn = useDrawer<ClassManager>()
  const reset = usePasswordReset(calls)
  return (
    <>
      <FilterBar table={table}>
        <TextFilter of={listClassManagers} field="keyword" />
        <OptionFilter of={listClassManagers} field="siteId" options={listOptions} query={basicOptions('site')} />
        <EnumFilter of={listClassManagers} field="status" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={(row) => row.name}
        primary={
          <Can do={saveClassManager}>
            <Button type="primary" icon={<IconPlus />} onClick={() => form.open()}>
              新增班主任
            </Button>
          </Can>
        }
        tools={
          <>
            <ImportButton do={importClassManagers} template={fetchClassManagerImportTemplate} what="班主任" />
            <ExportButton do={exportClassManagers} table={table} />
          </>
        }
        bulk={[
          ...accountBulk(calls, table.tickedRows, reset.show),
          bulkStep(deleteClassManagers, {
            label: '批量删除',
            danger: true,
            confirm: askRemoval('班主任'),
            input: (ids) => ({ body: { ids } }),
          }),
        ]}
        file={(row) => (
          <PersonOfList
            label="班主任资料"
            row={row}
            columns={columns}
            name={row.name}
            number={{ label: '工号', value: row.workNo }}
            status="status"
            facts={['siteNames', 'classCount', 'studentCount', 'phone']}
            edit={{ do: editClassManager, fields: ['phone', 'remark'] }}
            history={trail(row)}
          />
        )}
        actionsWidth={210}
        actions={(row) => [
          { label: '编辑', do: editClassManager, onClick: () => form.open(row) },
          {
            label: '分配班级',
            do: allocateClasses,
            disabled: row.status === 'active' ? undefined : '该班主任已停用或离职',
            onClick: () => allocation.open(row),
          },
          ...accountSteps(calls, row, reset.ask),
          signingIn(signInAsClassManager, row, signIn.open),
          removal(deleteClassManager, row),
        ]}
        empty="还没有班主任。新增后，为其分配所在站点的班级。"
      />
      <ClassManagerForm key={form.key} {...form.props} />
      <AllocateClasses key={`classes-${allocation.key}`} {...allocation.props} />
      <OneClick key={`sign-in-${signIn.key}`} {...signIn.props} operation={signInAsClassManager} client="教师端" />
      {reset.shown}
    </>
  )
}

/** A resident's number says the birthday too, which nobody asks for here. */
const ONLY_GENDER = ['gender'] as const

const Field = fieldsOf(saveClassManager)

const ClassManagerForm = ({ record, ...drawer }: DrawerProps<ClassManager>) => (
  <FormDrawer<ClassManager, { id: number }>
    {...drawer}
    record={record}
    title={record ? `编辑班主任 ${record.name}` : '新增班主任'}
    initial={{ status: 'active', siteIds: [] }}
    action={(manager) =>
      manager ? formAction(editClassManager, '已保存班主任', manager) : formAction(saveClassManager, '已新增班主任')
    }
    reload={(manager, call) => call(viewClassManager, { query: { id: manager.id } })}
    keep={['siteIds', 'status']}
  >
    <Field name="workNo" />
    <Field name="name" />
    <Field name="phone" help={record?.phone ? '不修改时保留原号码' : undefined} />
    <Field name="siteIds" help="只能为其分配这些站点的班级">
      <SeveralOptions label="站点" options={listOptions} query={basicOptions('site')} placeholder="请选择" />
    </Field>
    <Field name="idCardNo" help={record?.idCardNo ? '不修改时保留原内容' : undefined}>
      <IdCardInput stored={record?.idCardNo} maxLength={30} fills={ONLY_GENDER} />
    </Field>
    <Field name="gender" />
    <Field name="teacherId" help="也是教师时选择">
      <BasicSelect type="teacher" known={known(record?.teacherId, record?.teacherName)} />
    </Field>
    <Field name="status" />
    <Field name="remark" />
  </FormDrawer>
)
