import { Button, Select } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import { useQuery } from '@tanstack/react-query'
import { call } from '@/api/client'
import type { RowOf } from '@/api/operation'
import { bulkStep, step } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { fieldsOf } from '@/kit/Field'
import { FilterBar } from '@/kit/FilterBar'
import { FormDrawer } from '@/kit/FormDrawer'
import { EnabledFilter, SelectFilter, TextFilter } from '@/kit/filters'
import { formAction } from '@/kit/formAction'
import { ImportButton } from '@/kit/ImportWizard'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { undoBy } from '@/kit/undo'
import { type DrawerProps, useDrawer } from '@/kit/useDrawer'
import { useQueryTable } from '@/kit/useQueryTable'
import {
  changeDictDataStatus,
  deleteDictData,
  editDictData,
  exportDictData,
  fetchDictDataImportTemplate,
  importDictData,
  listDictData,
  listDictTypes,
  saveDictData,
  viewDictData,
} from './api'

type DictData = RowOf<typeof listDictData>

const columns = columnsOf(listDictData, [
  { field: 'dictLabel', width: 200, fixed: 'left' },
  { field: 'enabled', fixed: 'left' },
  { field: 'dictCode', width: 90 },
  { field: 'dictName', width: 140 },
  { field: 'dictValue', width: 120 },
  'isDefault',
  'sort',
  'builtIn',
  { field: 'dictType', hidden: true },
  { field: 'remark', hidden: true },
])

/** More types than a product has; one page names them all. */
const ALL = 500

const useTypes = () =>
  useQuery({
    queryKey: [listDictTypes.path, 'all'],
    queryFn: () => call(listDictTypes, { body: { pageSize: ALL } }),
  }).data?.list ?? []

const KEPT = '取值由系统决定，仅可查看'

/** 字典数据: the words of one list, or of all. */
export const DictDataPage = () => {
  const table = useQueryTable(listDictData)
  const form = useDrawer<DictData>()
  const types = useTypes()
  return (
    <Page title="字典数据" help="已被学生等资料使用的值不能删除，可以停用；停用后新资料不能再选择它。">
      <FilterBar table={table}>
        <SelectFilter
          of={listDictData}
          field="dictType"
          options={types.map(({ dictType, dictName }) => ({ value: dictType, label: dictName }))}
        />
        <TextFilter of={listDictData} field="dictLabel" />
        <EnabledFilter of={listDictData} field="enabled" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={(data) => data.dictLabel}
        primary={
          <Can do={saveDictData}>
            <Button type="primary" icon={<IconPlus />} onClick={() => form.open()}>
              新增数据
            </Button>
          </Can>
        }
        tools={
          <>
            <ImportButton do={importDictData} template={fetchDictDataImportTemplate} what="字典数据" />
            <ExportButton do={exportDictData} table={table} />
          </>
        }
        bulk={[
          bulkStep(deleteDictData, {
            label: '批量删除',
            danger: true,
            confirm: (count) => ({
              title: `确定删除选中的${count}条字典数据吗？`,
              content: '删除后不能恢复；被引用的会保留并说明原因。',
            }),
            input: (ids) => ({ query: { dictCodes: ids.join(',') } }),
          }),
        ]}
        actions={(data) => [
          {
            label: '编辑',
            do: editDictData,
            disabled: data.readOnly ? KEPT : undefined,
            onClick: () => form.open(data),
          },
          step(changeDictDataStatus, {
            label: data.enabled ? '停用' : '启用',
            disabled: data.readOnly ? KEPT : undefined,
            with: { body: { id: data.id, enabled: !data.enabled, version: data.version } },
            confirm: data.enabled
              ? { title: `停用“${data.dictLabel}”？`, content: '已有资料保持不变，新资料不能再选择它。' }
              : undefined,
            done: data.enabled ? `已停用“${data.dictLabel}”` : `已启用“${data.dictLabel}”`,
            undo: () =>
              undoBy(changeDictDataStatus, { body: { id: data.id, enabled: data.enabled, version: data.version + 1 } }),
          }),
          step(deleteDictData, {
            label: '删除',
            danger: true,
            disabled: data.readOnly ? KEPT : undefined,
            with: { query: { dictCodes: String(data.dictCode) } },
            confirm: { title: `确定删除“${data.dictLabel}”吗？`, content: '删除后不能恢复。' },
            done: `已删除“${data.dictLabel}”`,
          }),
        ]}
        empty="这个类型还没有数据。点击“新增数据”，或下载模板批量导入。"
      />
      <DictDataForm key={form.key} {...form.props} initialType={table.filters.dictType} />
    </Page>
  )
}

const Field = fieldsOf(saveDictData)

const TypeSelect = (props: { value?: string; onChange?: (type: string) => void; disabled?: boolean }) => {
  const types = useTypes()
  return (
    <Select
      {...props}
      placeholder="请选择"
      options={types
        .filter(({ readOnly }) => !readOnly)
        .map(({ dictType, dictName }) => ({ value: dictType, label: `${dictName} ${dictType}` }))}
    />
  )
}

const DictDataForm = ({ record, initialType, ...drawer }: DrawerProps<DictData> & { initialType?: string }) => (
  <FormDrawer
    {...drawer}
    record={record}
    title={record ? `编辑数据 ${record.dictLabel}` : '新增数据'}
    initial={{ dictType: initialType, sort: 1, isDefault: false }}
    action={(data) => (data ? formAction(editDictData, '已保存数据', data) : formAction(saveDictData, '已新增数据'))}
    reload={(data) => call(viewDictData, { query: { dictCode: data.dictCode } })}
    keep={['dictType', 'sort']}
  >
    <Field name="dictType">
      <TypeSelect disabled={record !== undefined} />
    </Field>
    <Field name="dictLabel" />
    <Field name="dictValue" help={record?.builtIn ? '内置数据的值不能修改' : undefined} disabled={record?.builtIn} />
    <Field name="sort" />
    <Field name="isDefault" help="每个类型最多一个默认项，设置后原默认项自动取消" />
    <Field name="remark" />
  </FormDrawer>
)
