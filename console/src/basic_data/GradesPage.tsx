import { Button } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import type { RowOf } from '@/api/operation'
import { bulkStep } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { fieldsOf } from '@/kit/Field'
import { FilterBar } from '@/kit/FilterBar'
import { FormDrawer } from '@/kit/FormDrawer'
import { EnabledFilter, EnumFilter, TextFilter } from '@/kit/filters'
import { formAction } from '@/kit/formAction'
import { ImportButton } from '@/kit/ImportWizard'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { askRemoval, removal, switching } from '@/kit/steps'
import { type DrawerProps, useDrawer } from '@/kit/useDrawer'
import { useQueryTable } from '@/kit/useQueryTable'
import { historyOf } from '@/logs/RecordHistory'
import {
  changeGradeStatus,
  deleteGrade,
  deleteGrades,
  editGrade,
  exportGrades,
  fetchGradeImportTemplate,
  importGrades,
  listGrades,
  saveGrade,
  viewGrade,
} from './api'
import { RollOver } from './RollOver'

type Grade = RowOf<typeof listGrades>

const columns = columnsOf(listGrades, [
  { field: 'name', fixed: 'left' },
  { field: 'enabled', fixed: 'left' },
  { field: 'code', width: 110, under: 'name' },
  'entryYear',
  'entrySeason',
  'classCount',
  { field: 'studentCount', help: '待注册、在籍、休学和超学制的学生' },
  { field: 'sortNo', hidden: true },
  { field: 'remark', hidden: true },
])

/** 年级管理: the entry cohorts. */
export const GradesPage = () => {
  const table = useQueryTable(listGrades)
  const form = useDrawer<Grade>()
  return (
    <Page title="年级管理" help="每年录取公布后新增一个年级；一年两次招生时编码加字母，如 2026A。">
      <FilterBar table={table}>
        <TextFilter of={listGrades} field="keyword" />
        <EnumFilter of={listGrades} field="entrySeason" />
        <EnabledFilter of={listGrades} field="enabled" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={(grade) => grade.name}
        primary={
          <Can do={saveGrade}>
            <Button type="primary" icon={<IconPlus />} onClick={() => form.open()}>
              新增年级
            </Button>
          </Can>
        }
        tools={
          <>
            <RollOver />
            <ImportButton do={importGrades} template={fetchGradeImportTemplate} what="年级" />
            <ExportButton do={exportGrades} table={table} />
          </>
        }
        bulk={[
          bulkStep(deleteGrades, {
            label: '批量删除',
            danger: true,
            confirm: askRemoval('年级'),
            input: (ids) => ({ body: { ids } }),
          }),
        ]}
        detail={historyOf(viewGrade, 'grade')}
        actionsWidth={160}
        actions={(grade) => [
          { label: '编辑', do: editGrade, onClick: () => form.open(grade) },
          switching(changeGradeStatus, grade),
          removal(deleteGrade, grade),
        ]}
        empty="还没有年级。点击“新增年级”，或下载模板批量导入。"
      />
      <GradeForm key={form.key} {...form.props} />
    </Page>
  )
}

const Field = fieldsOf(saveGrade)

const GradeForm = ({ record, ...drawer }: DrawerProps<Grade>) => (
  <FormDrawer
    {...drawer}
    record={record}
    title={record ? `编辑年级 ${record.name}` : '新增年级'}
    initial={{ entrySeason: 'spring', sortNo: 0 }}
    action={(grade) => (grade ? formAction(editGrade, '已保存年级', grade) : formAction(saveGrade, '已新增年级'))}
    reload={(grade, call) => call(viewGrade, { query: { id: grade.id } })}
    keep={['entrySeason', 'sortNo']}
  >
    <Field name="code" />
    <Field name="name" help="留空时为“编码+级”" />
    <Field name="entrySeason" required />
    <Field name="sortNo" />
    <Field name="remark" />
  </FormDrawer>
)
