import type { RowOf } from '@/api/operation'
import { bulkStep } from '@/kit/actions'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { fieldsOf } from '@/kit/Field'
import { FilterBar } from '@/kit/FilterBar'
import { FormDrawer } from '@/kit/FormDrawer'
import { DateRangeFilter, EnabledFilter, NumberFilter, TextFilter } from '@/kit/filters'
import { formAction } from '@/kit/formAction'
import { formatNumber } from '@/kit/format'
import { Lead } from '@/kit/Lead'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { askRemoval, removal, switching } from '@/kit/steps'
import { type DrawerProps, useDrawer } from '@/kit/useDrawer'
import { useQueryTable } from '@/kit/useQueryTable'
import { historyOf } from '@/logs/RecordHistory'
import { paths } from '@/paths'
import {
  changeBloggerStatus,
  deleteBlogger,
  deleteBloggers,
  editBlogger,
  exportBloggers,
  listBloggers,
  listCommunityBlogs,
  viewBlogger,
} from './api'

type Blogger = RowOf<typeof listBloggers>

const Field = fieldsOf(editBlogger)

/** What they wrote, among all blogs. */
const blogsOf = (bloggerName: string) => `${paths.communityBlogs}?${new URLSearchParams({ bloggerName })}`

const columns = columnsOf(listBloggers, [
  { field: 'bloggerName', width: 160, fixed: 'left' },
  { field: 'enabled', fixed: 'left' },
  { field: 'level', width: 80 },
  { field: 'badge', width: 140, help: '审核通过且在有效期内的认证' },
  {
    field: 'blogCount',
    width: 90,
    render: ({ blogCount, bloggerName }) => (
      <Lead do={listCommunityBlogs} to={blogCount > 0 ? blogsOf(bloggerName) : undefined}>
        {formatNumber(blogCount)}
      </Lead>
    ),
  },
  { field: 'visibleBlogs', width: 110 },
  { field: 'fansCount', width: 90 },
  'createdAt',
  { field: 'introduce', width: 260, hidden: true },
])

const nameOf = ({ bloggerName }: Blogger) => bloggerName

/** 设置等级: what the site thinks of a blogger. */
const BloggerForm = ({ record, ...drawer }: DrawerProps<Blogger>) => (
  <FormDrawer<Blogger, { id: number }>
    {...drawer}
    record={record}
    title={`设置等级 ${record?.bloggerName ?? ''}`}
    action={(row) => formAction(editBlogger, '已保存博主', row)}
    reload={(row, call) => call(viewBlogger, { query: { id: row.id } })}
  >
    <Field name="level" />
    <Field name="introduce" />
  </FormDrawer>
)

/** 博主管理: learners who wrote a blog. */
export const BloggersPage = () => {
  const table = useQueryTable(listBloggers)
  const form = useDrawer<Blogger>()
  return (
    <Page title="博主管理" help="发表过博客的学员；停用后网站上不再显示其博客，也不能再发表。">
      <FilterBar table={table}>
        <TextFilter of={listBloggers} field="bloggerName" />
        <NumberFilter of={listBloggers} field="level" places={0} />
        <EnabledFilter of={listBloggers} field="enabled" />
        <DateRangeFilter of={listBloggers} from="createdFrom" to="createdTo" label="成为博主日期" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={nameOf}
        tools={<ExportButton do={exportBloggers} table={table} />}
        bulk={[
          bulkStep(deleteBloggers, {
            label: '批量删除',
            danger: true,
            confirm: askRemoval('博主'),
            input: (ids) => ({ body: { ids } }),
          }),
        ]}
        detail={historyOf(viewBlogger, 'blogger')}
        actionsWidth={200}
        actions={(row) => [
          { label: '设置等级', do: editBlogger, onClick: () => form.open(row) },
          switching(
            changeBloggerStatus,
            { ...row, name: nameOf(row) },
            `网站上不再显示其${formatNumber(row.visibleBlogs)}篇博客，也不能再发表；博客保留，启用后恢复显示。`,
          ),
          {
            ...removal(deleteBlogger, { id: row.id, name: nameOf(row) }),
            disabled: row.blogCount > 0 ? '有博客的博主不能删除，可以停用' : undefined,
          },
        ]}
        empty="还没有博主。学员发表第一篇博客后成为博主。"
      />
      <BloggerForm key={form.key} {...form.props} />
    </Page>
  )
}
