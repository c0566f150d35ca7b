import { Button } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import { useNavigate } from 'react-router'
import { call } from '@/api/client'
import type { RowOf } from '@/api/operation'
import { step } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { fieldsOf } from '@/kit/Field'
import { FilterBar } from '@/kit/FilterBar'
import { FormDrawer } from '@/kit/FormDrawer'
import { TextFilter } from '@/kit/filters'
import { formAction } from '@/kit/formAction'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { type DrawerProps, useDrawer } from '@/kit/useDrawer'
import { useQueryTable } from '@/kit/useQueryTable'
import { paths } from '@/paths'
import { deleteDictType, editDictType, listDictData, listDictTypes, saveDictType, viewDictType } from './api'

type DictType = RowOf<typeof listDictTypes>

const columns = columnsOf(listDictTypes, [
  { field: 'dictType', width: 200, fixed: 'left' },
  { field: 'dictName', width: 180 },
  { field: 'standard', width: 200 },
  'dataCount',
  'builtIn',
  { field: 'readOnly', help: '取值由系统决定，供交换文件和自定义字段对照' },
  { field: 'remark', hidden: true },
])

/** 数据字典: the lists of words that operators keep. */
export const DictTypesPage = () => {
  const table = useQueryTable(listDictTypes)
  const form = useDrawer<DictType>()
  const navigate = useNavigate()
  return (
    <Page title="数据字典" help="没有业务规则的取值列表，如民族、来源渠道；各院校的表单从这里选择。">
      <FilterBar table={table}>
        <TextFilter of={listDictTypes} field="dictType" />
        <TextFilter of={listDictTypes} field="dictName" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={(type) => type.dictType}
        primary={
          <Can do={saveDictType}>
            <Button type="primary" icon={<IconPlus />} onClick={() => form.open()}>
              新增类型
            </Button>
          </Can>
        }
        actions={(type) => [
          {
            label: '字典数据',
            do: listDictData,
            onClick: () => navigate(`${paths.dictData}?dictType=${encodeURIComponent(type.dictType)}`),
          },
          {
            label: '编辑',
            do: editDictType,
            disabled: type.readOnly ? '取值由系统决定，仅可查看' : undefined,
            onClick: () => form.open(type),
          },
          step(deleteDictType, {
            label: '删除',
            danger: true,
            disabled: type.builtIn ? '内置字典类型不能删除' : undefined,
            with: { query: { id: type.id } },
            confirm: { title: `确定删除“${type.dictName}”吗？`, content: '删除后不能恢复。' },
            done: `已删除“${type.dictName}”`,
          }),
        ]}
        empty="还没有字典类型。"
      />
      <DictTypeForm key={form.key} {...form.props} />
    </Page>
  )
}

const Field = fieldsOf(saveDictType)

const DictTypeForm = ({ record, ...drawer }: DrawerProps<DictType>) => (
  <FormDrawer
    {...drawer}
    record={record}
    title={record ? `编辑类型 ${record.dictName}` : '新增类型'}
    action={(type) => (type ? formAction(editDictType, '已保存类型', type) : formAction(saveDictType, '已新增类型'))}
    reload={(type) => call(viewDictType, { query: { id: type.id } })}
  >
    <Field name="dictType" disabled={record !== undefined} />
    <Field name="dictName" />
    <Field name="standard" />
    <Field name="remark" />
  </FormDrawer>
)
