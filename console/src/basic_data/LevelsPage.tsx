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
  changeLevelStatus,
  deleteLevel,
  deleteLevels,
  editLevel,
  exportLevels,
  fetchLevelImportTemplate,
  importLevels,
  listLevels,
  saveLevel,
  viewLevel,
} from './api'

type Level = RowOf<typeof listLevels>

const columns = columnsOf(listLevels, [
  { field: 'name', fixed: 'left' },
  { field: 'enabled', fixed: 'left' },
  { field: 'code', width: 110, under: 'name' },
  'entryLevel',
  'nationalLevel',
  'schoolingYears',
  { field: 'maxYears', width: 130 },
  'termCount',
  { field: 'minHours', width: 120 },
  { field: 'minOfflineRatio', width: 170 },
  { field: 'remark', hidden: true },
])

/** 层次管理: the levels of study. */
export const LevelsPage = () => {
  const table = useQueryTable(listLevels)
  const form = useDrawer<Level>()
  return (
    <Page title="层次管理" help="培养层次与学制；起点层次、学制在有专业或学生引用后不能修改。">
      <FilterBar table={table}>
        <TextFilter of={listLevels} field="keyword" />
        <EnumFilter of={listLevels} field="entryLevel" />
        <EnabledFilter of={listLevels} field="enabled" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={(level) => level.name}
        primary={
          <Can do={saveLevel}>
            <Button type="primary" icon={<IconPlus />} onClick={() => form.open()}>
              新增层次
            </Button>
          </Can>
        }
        tools={
          <>
            <ImportButton do={importLevels} template={fetchLevelImportTemplate} what="层次" />
            <ExportButton do={exportLevels} table={table} />
          </>
        }
        bulk={[
          bulkStep(deleteLevels, {
            label: '批量删除',
            danger: true,
            confirm: askRemoval('层次'),
            input: (ids) => ({ body: { ids } }),
          }),
        ]}
        detail={historyOf(viewLevel, 'level')}
        actionsWidth={160}
        actions={(level) => [
          { label: '编辑', do: editLevel, onClick: () => form.open(level) },

          switching(changeLevelStatus, level),
          removal(deleteLevel, level),
        ]}
        empty="还没有层次。常用的有高起专、专升本、高起本。"
      />
      <LevelForm key={form.key} {...form.props} />
    </Page>
  )
}

const Field = fieldsOf(saveLevel)

const LevelForm = ({ record, ...drawer }: DrawerProps<Level>) => (
  <FormDrawer
    {...drawer}
    record={record}
    title={record ? `编辑层次 ${record.name}` : '新增层次'}
    initial={{ sortNo: 0 }}
    action={(level) => (level ? formAction(editLevel, '已保存层次', level) : formAction(saveLevel, '已新增层次'))}
    reload={(level, call) => call(viewLevel, { query: { id: level.id } })}
    keep={['entryLevel']}
  >
    <Field name="code" />
    <Field name="name" />
    <Field name="entryLevel" help="留空的学制、年限和学时按国家规定的默认值填写" />
    <Field name="schoolingYears" />
    <Field name="maxYears" />
    <Field name="minHours" />
    <Field name="hoursPerCreditMin" />
    <Field name="hoursPerCreditMax" />
    <Field name="minOfflineRatio" />
    <Field name="sortNo" />
    <Field name="remark" />
  </FormDrawer>
)
