import { Button, Select } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import type { Caller } from '@/api/client'
import type { RowOf } from '@/api/operation'
import { useCall } from '@/api/schoolContext'
import { bulkStep } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { ExportButton } from '@/kit/ExportButton'
import { fieldsOf } from '@/kit/Field'
import { FilterBar } from '@/kit/FilterBar'
import { FormDrawer } from '@/kit/FormDrawer'
import { EnabledFilter, EnumFilter, TextFilter } from '@/kit/filters'
import { formAction } from '@/kit/formAction'
import { formatNumber } from '@/kit/format'
import { Nothing } from '@/kit/Nothing'
import { Page } from '@/kit/Page'
import { Enabled } from '@/kit/Status'
import { askRemoval, removal, switching } from '@/kit/steps'
import { TreeTable } from '@/kit/TreeTable'
import { flat } from '@/kit/treeOrder'
import { type DrawerProps, useDrawer } from '@/kit/useDrawer'
import { useTree } from '@/kit/useTree'
import { useTreeOrder } from '@/kit/useTreeOrder'
import {
  changeCurriculumTypeStatus,
  deleteCurriculumType,
  deleteCurriculumTypes,
  editCurriculumType,
  exportCurriculumTypes,
  listCurriculumTypes,
  saveCurriculumType,
  viewCurriculumType,
} from './api'

type Node = RowOf<typeof listCurriculumTypes>
type CurriculumType = RowOf<typeof viewCurriculumType>

/** A type that is edited, or a new one below another. */
interface Draft {
  type?: Node
  below?: Node
}

const wordIn = (field: 'systemKind' | 'defaultExamForm') => {
  const options = saveCurriculumType.fields[field]?.options ?? []
  return (value: string | null) => options.find(([known]) => known === value)?.[1] ?? <span className="nothing">—</span>
}

const renumber = async (call: Caller, nodes: readonly Node[], id: number, sortNo: number) => {
  const node = flat(nodes).find((each) => each.id === id)
  if (!node) return
  const { version, code, name, parentId, systemKind, defaultExamForm } = node
  await call(editCurriculumType, { body: { id, version, code, name, parentId, systemKind, defaultExamForm, sortNo } })
}

/** 课程类型: the kinds of courses as a tree of two levels, without pages. */
export const CurriculumTypesPage = () => {
  const call = useCall()
  const { query, body, rows, filtered, table } = useTree(listCurriculumTypes)
  const form = useDrawer<Draft>()
  const order = useTreeOrder({
    roots: rows,
    edit: editCurriculumType,
    write: (id, sortNo) => renumber(call, rows, id, sortNo),
    filtered,
  })

  return (
    <Page title="课程类型" help="最多两级；课程归入没有下级的类型，并取它的默认考核类型。拖动一行可在同级中调整顺序。">
      <FilterBar table={table}>
        <TextFilter of={listCurriculumTypes} field="keyword" />
        <EnumFilter of={listCurriculumTypes} field="systemKind" />
        <EnabledFilter of={listCurriculumTypes} field="enabled" />
      </FilterBar>
      <div className="toolbar">
        <Can do={saveCurriculumType}>
          <Button type="primary" icon={<IconPlus />} onClick={() => form.open({})}>
            新增类型
          </Button>
        </Can>
        <div className="toolbar-right">
          <ExportButton do={exportCurriculumTypes} table={{ body, total: flat(rows).length }} />
        </div>
      </div>
      <TreeTable
        query={query}
        rows={rows}
        nameOf={({ name }) => name}
        onRow={order.row}
        bulk={{
          body,
          actions: [
            bulkStep(deleteCurriculumTypes, {
              label: '批量删除',
              danger: true,
              confirm: askRemoval('课程类型'),
              input: (ids) => ({ body: { ids } }),
            }),
          ],
        }}
        scroll={{ x: 900 }}
        empty={<Nothing filtered={filtered} reset={table.reset} empty="还没有课程类型，请先新增。" />}
        columns={[
          { title: '名称', dataIndex: 'name', width: 260 },
          { title: '编码', dataIndex: 'code', width: 120 },
          { title: '系统类别', dataIndex: 'systemKind', width: 140, render: wordIn('systemKind') },
          { title: '默认考核类型', dataIndex: 'defaultExamForm', width: 120, render: wordIn('defaultExamForm') },
          { title: '课程数', dataIndex: 'courseCount', width: 90, align: 'right', render: formatNumber },
          { title: '启用', dataIndex: 'enabled', width: 90, render: (enabled: boolean) => <Enabled value={enabled} /> },
        ]}
        actions={(node) => [
          {
            label: '新增下级',
            do: saveCurriculumType,
            disabled: node.parentId ? '课程类型最多两级' : undefined,
            onClick: () => form.open({ below: node }),
          },
          { label: '编辑', do: editCurriculumType, onClick: () => form.open({ type: node }) },
          switching(changeCurriculumTypeStatus, node),
          ...order.actions(node),
          removal(deleteCurriculumType, node),
        ]}
      />
      <CurriculumTypeForm key={form.key} roots={rows} {...form.props} />
    </Page>
  )
}

const Field = fieldsOf(saveCurriculumType)

interface ParentSelectProps {
  roots: readonly Node[]
  'aria-label'?: string
  value?: number
  onChange?: (id: number | undefined) => void
}

/** Only types of the first level can have others below them. */
const ParentSelect = ({ roots, ...control }: ParentSelectProps) => (
  <Select
    {...control}
    placeholder="请选择"
    allowClear
    options={roots.map(({ id, name }) => ({ value: id, label: name }))}
  />
)

const CurriculumTypeForm = ({ record, roots, ...drawer }: DrawerProps<Draft> & { roots: readonly Node[] }) => {
  const type = record?.type
  const below = record?.below
  return (
    <FormDrawer<CurriculumType | Node, { id: number }>
      {...drawer}
      record={type}
      title={type ? `编辑课程类型 ${type.name}` : '新增课程类型'}
      initial={{
        systemKind: below?.systemKind ?? 'public_basic',
        defaultExamForm: below?.defaultExamForm ?? 'exam',
        sortNo: 0,
        parentId: below?.id,
      }}
      action={(edited) =>
        edited ? formAction(editCurriculumType, '已保存类型', edited) : formAction(saveCurriculumType, '已新增类型')
      }
      reload={(edited, call) => call(viewCurriculumType, { query: { id: edited.id } })}
      keep={['systemKind', 'defaultExamForm', 'parentId']}
    >
      <Field name="parentId" help="留空为一级类型">
        <ParentSelect roots={roots.filter(({ id }) => id !== type?.id)} />
      </Field>
      <Field name="name" />
      <Field name="code" />
      <Field name="systemKind" />
      <Field name="defaultExamForm" help="新增课程时默认的考核类型" />
      <Field name="sortNo" />
    </FormDrawer>
  )
}
