import { Button } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import { useNavigate } from 'react-router'
import type { RowOf } from '@/api/operation'
import { step } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { FilterBar } from '@/kit/FilterBar'
import { TextFilter } from '@/kit/filters'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { useQueryTable } from '@/kit/useQueryTable'
import { paths } from '@/paths'
import { deleteParam, editParam, listParams, resetParam, saveParam } from './api'
import { rangeOf, valueWords } from './paramWords'

type ParamRow = RowOf<typeof listParams>

const columns = columnsOf(listParams, [
  { field: 'paramCode', width: 190, fixed: 'left' },
  { field: 'paramName', width: 210 },
  { field: 'groupName', width: 90 },
  { field: 'paramValue', width: 110, render: (row) => valueWords(row, row.paramValue) },
  { field: 'defaultValue', width: 110, render: (row) => valueWords(row, row.defaultValue) },
  { field: 'options', title: '范围', width: 120, render: rangeOf },
  { field: 'schoolOverridable', width: 90 },
  { field: 'changed', width: 90, hidden: true },
  { field: 'paramType', hidden: true },
  { field: 'remark', hidden: true },
])

/** 参数配置: single values that the product's rules read. */
export const ParamsPage = () => {
  const table = useQueryTable(listParams)
  const navigate = useNavigate()
  const edit = (row: ParamRow) => navigate(`${paths.paramEdit}?id=${row.id}`)
  return (
    <Page title="参数配置" help="系统规则使用的参数；修改后一分钟内在所有服务器生效。">
      <FilterBar table={table}>
        <TextFilter of={listParams} field="paramCode" />
        <TextFilter of={listParams} field="paramName" />
        <TextFilter of={listParams} field="groupName" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={(row) => row.paramCode}
        actionsWidth={170}
        primary={
          <Can do={saveParam}>
            <Button type="primary" icon={<IconPlus />} onClick={() => navigate(paths.paramAdd)}>
              新增参数
            </Button>
          </Can>
        }
        actions={(row) => [
          {
            label: '编辑',
            do: editParam,
            disabled: row.fixed ? '该参数的值是固定的' : undefined,
            onClick: () => edit(row),
          },
          ...(row.builtIn
            ? [
                step(resetParam, {
                  label: '恢复默认',
                  disabled: row.changed ? undefined : '当前就是默认值',
                  with: { query: { id: row.id } },
                  confirm: {
                    title: `将“${row.paramName}”恢复为默认值？`,
                    content: `默认值为${valueWords(row, row.defaultValue)}。`,
                  },
                  done: `已恢复“${row.paramName}”的默认值`,
                }),
              ]
            : [
                step(deleteParam, {
                  label: '删除',
                  danger: true,
                  with: { query: { id: row.id } },
                  confirm: { title: `确定删除“${row.paramName}”吗？`, content: '删除后不能恢复。' },
                  done: `已删除“${row.paramName}”`,
                }),
              ]),
        ]}
        empty="没有参数。"
      />
    </Page>
  )
}
