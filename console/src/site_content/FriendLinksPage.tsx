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
import { DateRangeFilter, EnabledFilter, TextFilter } from '@/kit/filters'
import { formAction } from '@/kit/formAction'
import { Page } from '@/kit/Page'
import { PictureUpload } from '@/kit/PictureUpload'
import { QueryTable } from '@/kit/QueryTable'
import { askRemoval, removal, switching } from '@/kit/steps'
import { type DrawerProps, useDrawer } from '@/kit/useDrawer'
import { useListOrder } from '@/kit/useListOrder'
import { useQueryTable } from '@/kit/useQueryTable'
import { historyOf } from '@/logs/RecordHistory'
import {
  changeFriendLinkStatus,
  deleteFriendLink,
  deleteFriendLinks,
  editFriendLink,
  exportFriendLinks,
  listFriendLinks,
  saveFriendLink,
  sortFriendLinks,
  viewFriendLink,
} from './api'
import { Thumb } from './Thumb'

type FriendLink = RowOf<typeof listFriendLinks>

const Field = fieldsOf(saveFriendLink)

const columns = columnsOf(listFriendLinks, [
  { field: 'linkName', width: 200, fixed: 'left' },
  { field: 'enabled', fixed: 'left' },
  { field: 'linkUrl', width: 280 },
  { field: 'logo', width: 110, render: ({ logo, linkName }) => <Thumb url={logo} name={linkName} /> },
  'target',
  'sort',
  'createdAt',
])

const FriendLinkForm = ({ record, ...drawer }: DrawerProps<FriendLink>) => (
  <FormDrawer<FriendLink, { id: number }>
    {...drawer}
    record={record}
    title={record ? `编辑友情链接 ${record.linkName}` : '新增友情链接'}
    initial={{ target: 'blank', sort: 0, enabled: true }}
    action={(row) =>
      row ? formAction(editFriendLink, '已保存友情链接', row) : formAction(saveFriendLink, '已新增友情链接')
    }
    reload={(row, call) => call(viewFriendLink, { query: { id: row.id } })}
    keep={['target']}
  >
    <Field name="linkName" />
    <Field name="linkUrl" />
    <Field name="logo" help="">
      <PictureUpload width={178} />
    </Field>
    <Field name="target" />
    <Field name="sort" />
    <Field name="enabled" />
  </FormDrawer>
)

const nameOf = ({ linkName }: FriendLink) => linkName

/** 友情链接. */
export const FriendLinksPage = () => {
  const table = useQueryTable(listFriendLinks)
  const form = useDrawer<FriendLink>()
  const order = useListOrder({ sort: sortFriendLinks, rows: table.rows, nameOf })
  return (
    <Page title="友情链接" help="页面底部的外部链接。拖动一行可调整顺序。">
      <FilterBar table={table}>
        <TextFilter of={listFriendLinks} field="name" />
        <EnabledFilter of={listFriendLinks} field="enabled" />
        <DateRangeFilter of={listFriendLinks} from="createdFrom" to="createdTo" label="创建日期" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={nameOf}
        order={order}
        primary={
          <Can do={saveFriendLink}>
            <Button type="primary" icon={<IconPlus />} onClick={() => form.open()}>
              新增友情链接
            </Button>
          </Can>
        }
        tools={<ExportButton do={exportFriendLinks} table={table} />}
        bulk={[
          bulkStep(deleteFriendLinks, {
            label: '批量删除',
            danger: true,
            confirm: askRemoval('友情链接'),
            input: (ids) => ({ body: { ids } }),
          }),
        ]}
        detail={historyOf(viewFriendLink, 'website_link')}
        actionsWidth={200}
        actions={(row) => [
          { label: '编辑', do: editFriendLink, onClick: () => form.open(row) },
          switching(changeFriendLinkStatus, { ...row, name: nameOf(row) }, '网站上不再显示它。'),
          ...order.actions(row),
          removal(deleteFriendLink, { id: row.id, name: nameOf(row) }),
        ]}
        empty="还没有友情链接。点击“新增友情链接”添加第一个。"
      />
      <FriendLinkForm key={form.key} {...form.props} />
    </Page>
  )
}
