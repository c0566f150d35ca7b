import { Button } from '@arco-design/web-react'
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
import { Masked } from '@/kit/Masked'
import { Nothing } from '@/kit/Nothing'
import { Page } from '@/kit/Page'
import { SchoolFirst } from '@/kit/SchoolFirst'
import { Enabled } from '@/kit/Status'
import { askRemoval, removal, switching } from '@/kit/steps'
import { TreeTable } from '@/kit/TreeTable'
import { flat } from '@/kit/treeOrder'
import { type DrawerProps, useDrawer } from '@/kit/useDrawer'
import { useTree } from '@/kit/useTree'
import { useTreeOrder } from '@/kit/useTreeOrder'
import {
  changeOrganizationStatus,
  deleteOrganization,
  deleteOrganizations,
  editOrganization,
  exportOrganizations,
  listOrganizations,
  saveOrganization,
  viewOrganization,
} from './api'
import { BasicSelect, known } from './BasicSelect'

type Node = RowOf<typeof listOrganizations>
type Organization = RowOf<typeof viewOrganization>

/** An organization that is edited, or a new one below another. */
interface Draft {
  organization?: Node
  below?: Node
}

const kinds = saveOrganization.fields.kind?.options ?? []
const wordOf = (kind: string) => kinds.find(([value]) => value === kind)?.[1] ?? kind

const orNothing = (text: string | null) => text || <span className="nothing">—</span>

const renumber = async (call: Caller, nodes: readonly Node[], id: number, sortNo: number) => {
  const node = flat(nodes).find((each) => each.id === id)
  if (!node) return
  const { version, code, name, shortName, parentId, kind, leader, phone } = node
  await call(editOrganization, { body: { id, version, code, name, shortName, parentId, kind, leader, phone, sortNo } })
}

/** 机构管理: colleges and offices as a tree, without pages. */
export const OrganizationsPage = () => (
  <Page title="机构管理" help="学院、部门和中心，最多五级；停用上级前须先停用下级。拖动一行可在同级中调整顺序。">
    <SchoolFirst>
      <Organizations />
    </SchoolFirst>
  </Page>
)

const Organizations = () => {
  const call = useCall()
  const { query, body, rows, filtered, table } = useTree(listOrganizations)
  const form = useDrawer<Draft>()
  const order = useTreeOrder({
    roots: rows,
    edit: editOrganization,
    write: (id, sortNo) => renumber(call, rows, id, sortNo),
    filtered,
  })

  return (
    <>
      <FilterBar table={table}>
        <TextFilter of={listOrganizations} field="keyword" />
        <EnumFilter of={listOrganizations} field="kind" />
        <EnabledFilter of={listOrganizations} field="enabled" />
      </FilterBar>
      <div className="toolbar">
        <Can do={saveOrganization}>
          <Button type="primary" icon={<IconPlus />} onClick={() => form.open({})}>
            新增机构
          </Button>
        </Can>
        <div className="toolbar-right">
          <ExportButton do={exportOrganizations} table={{ body, total: flat(rows).length }} />
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
            bulkStep(deleteOrganizations, {
              label: '批量删除',
              danger: true,
              confirm: askRemoval('机构'),
              input: (ids) => ({ body: { ids } }),
            }),
          ],
        }}
        scroll={{ x: 1000 }}
        empty={<Nothing filtered={filtered} reset={table.reset} empty="还没有机构。先新增学院，再新增下级部门。" />}
        columns={[
          { title: '名称', dataIndex: 'name', width: 280 },
          { title: '编码', dataIndex: 'code', width: 110 },
          { title: '类型', dataIndex: 'kind', width: 90, render: wordOf },
          { title: '负责人', dataIndex: 'leader', width: 110, render: orNothing },
          {
            title: '电话',
            dataIndex: 'phone',
            width: 170,
            render: (phone: string | null, { id }) => (
              <Masked entity="organization" id={id} field="phone" label="电话" value={phone} />
            ),
          },
          { title: '排序', dataIndex: 'sortNo', width: 80, align: 'right' },
          { title: '启用', dataIndex: 'enabled', width: 90, render: (enabled: boolean) => <Enabled value={enabled} /> },
        ]}
        actions={(node) => [
          { label: '新增下级', do: saveOrganization, onClick: () => form.open({ below: node }) },
          { label: '编辑', do: editOrganization, onClick: () => form.open({ organization: node }) },
          switching(changeOrganizationStatus, node),
          ...order.actions(node),
          removal(deleteOrganization, node),
        ]}
      />
      <OrganizationForm key={form.key} {...form.props} />
    </>
  )
}

const Field = fieldsOf(saveOrganization)

const OrganizationForm = ({ record, ...drawer }: DrawerProps<Draft>) => {
  const organization = record?.organization
  const below = record?.below
  const top = organization ? undefined : known(below?.id, below?.name)
  return (
    <FormDrawer<Organization | Node, { id: number }>
      {...drawer}
      record={organization}
      title={organization ? `编辑机构 ${organization.name}` : '新增机构'}
      initial={{ kind: 'college', sortNo: 0, parentId: below?.id }}
      action={(edited) =>
        edited ? formAction(editOrganization, '已保存机构', edited) : formAction(saveOrganization, '已新增机构')
      }
      reload={(edited, call) => call(viewOrganization, { query: { id: edited.id } })}
      keep={['kind', 'parentId']}
    >
      <Field name="parentId" help="留空为一级机构">
        <BasicSelect type="organization" known={top} />
      </Field>
      <Field name="name" />
      <Field name="code" />
      <Field name="shortName" />
      <Field name="kind" />
      <Field name="leader" />
      <Field name="phone" help={organization?.phone ? '不修改时保留原号码' : undefined} />
      <Field name="sortNo" />
    </FormDrawer>
  )
}
