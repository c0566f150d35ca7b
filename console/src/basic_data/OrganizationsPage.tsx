import { Button, Empty, Result, Skeleton, Table } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { call, request } from '@/api/client'
import { messageOf } from '@/api/errors'
import type { components } from '@/api/schema'
import { Can } from '@/kit/Can'
import { ExportButton } from '@/kit/ExportButton'
import { fieldsOf } from '@/kit/Field'
import { FilterBar } from '@/kit/FilterBar'
import { FormDrawer } from '@/kit/FormDrawer'
import { EnabledFilter, EnumFilter, TextFilter } from '@/kit/filters'
import { formAction } from '@/kit/formAction'
import { Page } from '@/kit/Page'
import { RowActions } from '@/kit/RowActions'
import { Enabled } from '@/kit/Status'
import { type DrawerProps, useDrawer } from '@/kit/useDrawer'
import { usePhone } from '@/kit/useMedia'
import { bodyOf } from '@/kit/useQueryTable'
import { useTreeOrder } from '@/kit/useTreeOrder'
import {
  changeOrganizationStatus,
  deleteOrganization,
  editOrganization,
  exportOrganizations,
  listOrganizations,
  saveOrganization,
  viewOrganization,
} from './api'
import { BasicSelect, known } from './BasicSelect'
import { removal, switching } from './steps'

type Node = components['schemas']['OrganizationNode']
type Organization = components['schemas']['Organization']

/** An organization that is edited, or a new one below another. */
interface Draft {
  organization?: Node
  below?: Node
}

const kinds = saveOrganization.fields.kind?.options ?? []
const wordOf = (kind: string) => kinds.find(([value]) => value === kind)?.[1] ?? kind

const orNothing = (text: string | null) => text || <span className="nothing">—</span>

const countOf = (nodes: readonly Node[]): number => nodes.reduce((count, node) => count + 1 + countOf(node.children), 0)

const ids = (nodes: readonly Node[]): number[] => nodes.flatMap((node) => [node.id, ...ids(node.children)])

const nodeAt = (nodes: readonly Node[], id: number): Node | undefined => {
  for (const node of nodes) {
    const found = node.id === id ? node : nodeAt(node.children, id)
    if (found) return found
  }
  return undefined
}

const renumber = async (nodes: readonly Node[], id: number, sortNo: number) => {
  const node = nodeAt(nodes, id)
  if (!node) return
  const { version, code, name, shortName, parentId, kind, leader, phone } = node
  await call(editOrganization, { body: { id, version, code, name, shortName, parentId, kind, leader, phone, sortNo } })
}

/** 机构管理: colleges and offices as a tree, without pages. */
export const OrganizationsPage = () => {
  const [search, setSearch] = useSearchParams()
  const { pageCurrent: _page, pageSize: _size, ...body } = bodyOf(listOrganizations, search)
  const query = useQuery({
    queryKey: [listOrganizations.path, body],
    queryFn: ({ signal }) => request(listOrganizations, { body }, { signal }),
  })
  const form = useDrawer<Draft>()
  const phone = usePhone()
  const rows = query.data ?? []
  const filters = Object.fromEntries(search)
  const setFilters = (values: Record<string, string | undefined>) => {
    const given = Object.entries({ ...filters, ...values }).flatMap(([name, value]) => (value ? [[name, value]] : []))
    setSearch(Object.fromEntries(given), { replace: true })
  }
  const filtered = search.size > 0
  const order = useTreeOrder({
    roots: rows,
    edit: editOrganization,
    write: (id, sortNo) => renumber(rows, id, sortNo),
    filtered,
  })

  return (
    <Page title="机构管理" help="学院、部门和中心，最多五级；停用上级前须先停用下级。拖动一行可在同级中调整顺序。">
      <FilterBar
        table={{ operation: listOrganizations, filters, setFilters, reset: () => setSearch({}, { replace: true }) }}
      >
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
          <ExportButton do={exportOrganizations} table={{ body, total: countOf(rows) }} />
        </div>
      </div>
      {query.isPending && <Skeleton text={{ rows: 8 }} animation />}
      {query.isError && (
        <Result
          status="error"
          title="列表没有加载成功"
          subTitle={messageOf(query.error)}
          extra={<Button onClick={() => query.refetch()}>重试</Button>}
        />
      )}
      {query.data && (
        <Table
          key={ids(rows)
            .sort((a, b) => a - b)
            .join()}
          rowKey="id"
          data={rows}
          pagination={false}
          border={{ wrapper: true }}
          defaultExpandAllRows
          onRow={order.row}
          noDataElement={
            <Empty description={filtered ? '没有符合条件的机构' : '还没有机构。先新增学院，再新增下级部门。'} />
          }
          scroll={{ x: 1000 }}
          columns={[
            { title: '名称', dataIndex: 'name', width: 280 },
            { title: '编码', dataIndex: 'code', width: 110 },
            { title: '类型', dataIndex: 'kind', width: 90, render: wordOf },
            { title: '负责人', dataIndex: 'leader', width: 110, render: orNothing },
            { title: '电话', dataIndex: 'phone', width: 150, render: orNothing },
            { title: '排序', dataIndex: 'sortNo', width: 80, align: 'right' },
            {
              title: '启用',
              dataIndex: 'enabled',
              width: 90,
              render: (enabled: boolean) => <Enabled value={enabled} />,
            },
            {
              title: '操作',
              dataIndex: 'actions',
              width: phone ? 90 : 230,
              fixed: 'right',
              render: (_: unknown, node: Node) => (
                <RowActions
                  folded={phone}
                  actions={[
                    { label: '新增下级', do: saveOrganization, onClick: () => form.open({ below: node }) },
                    { label: '编辑', do: editOrganization, onClick: () => form.open({ organization: node }) },
                    switching(changeOrganizationStatus, node),
                    ...order.actions(node),
                    removal(deleteOrganization, node),
                  ]}
                />
              ),
            },
          ]}
        />
      )}
      <OrganizationForm key={form.key} {...form.props} />
    </Page>
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
      reload={(edited) => call(viewOrganization, { query: { id: edited.id } })}
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
      <Field name="phone" />
      <Field name="sortNo" />
    </FormDrawer>
  )
}
