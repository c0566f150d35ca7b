import type { RowOf } from '@/api/operation'
import { bulkStep, byState, step } from '@/kit/actions'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { DateRangeFilter, EnumFilter, TextFilter, YesNoFilter } from '@/kit/filters'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { countOf, Segments } from '@/kit/Segments'
import { askRemoval, removal } from '@/kit/steps'
import { undoBy } from '@/kit/undo'
import { useDrawer } from '@/kit/useDrawer'
import { useQueryTable } from '@/kit/useQueryTable'
import { historyOf } from '@/logs/RecordHistory'
import {
  auditCommunityBlog,
  auditCommunityBlogs,
  deleteCommunityBlog,
  deleteCommunityBlogs,
  exportCommunityBlogs,
  listBlogComments,
  listCommunityBlogs,
  recommendCommunityBlog,
  shelveCommunityBlog,
  topCommunityBlog,
  viewCommunityBlog,
} from './api'
import { BlogComments } from './BlogComments'
import { DecideBlog, isWaiting, WAITING } from './Decisions'
import { STATUS_TONES } from './standing'
import { BlogText, Cover } from './Texts'

type Blog = RowOf<typeof listCommunityBlogs>

const columns = columnsOf(listCommunityBlogs, [
  { field: 'title', width: 260, fixed: 'left' },
  { field: 'auditStatus', width: 90, fixed: 'left', tones: STATUS_TONES },
  { field: 'putaway', title: '上架', width: 80, tones: { on: 'good', off: 'quiet' } },
  { field: 'waitingComments', title: '待审评论', width: 100 },
  { field: 'bloggerName', width: 110 },
  { field: 'visible', width: 100, help: '审核通过、已上架且博主未停用' },
  { field: 'badge', width: 120 },
  { field: 'articleType', width: 90 },
  { field: 'labels', width: 160 },
  { field: 'isTop', width: 70 },
  { field: 'isRecommend', width: 70 },
  { field: 'commentCount', width: 80 },
  { field: 'readCount', width: 80 },
  'createdAt',
  { field: 'likeCount', width: 80, hidden: true },
  { field: 'cover', width: 90, hidden: true, render: ({ cover }) => <Cover url={cover} small /> },
  { field: 'categoryName', title: '分类', width: 120, hidden: true },
  { field: 'summary', width: 260, hidden: true },
  { field: 'sourceUrl', width: 220, hidden: true },
  { field: 'auditOpinion', width: 200, hidden: true },
  { field: 'auditorName', width: 100, hidden: true },
  { field: 'auditedAt', hidden: true },
])

const nameOf = ({ title }: Blog) => title

/** What visitors do not see is not put before others. */
const hidden = ({ auditStatus, visible }: Blog, what: string) => {
  if (visible) return undefined
  return auditStatus === 'approved' ? `已下架或博主已停用，恢复展示后才能${what}` : `博客审核通过后才能${what}`
}

const topping = (blog: Blog) => {
  const { id, isTop, version } = blog
  return step(topCommunityBlog, {
    label: isTop ? '取消置顶' : '置顶',
    with: { body: { id, isTop: !isTop, version } },
    disabled: isTop ? undefined : hidden(blog, '置顶'),
    done: isTop ? '已取消置顶' : '已置顶',
    undo: () => undoBy(topCommunityBlog, { body: { id, isTop, version: version + 1 } }),
  })
}

const recommending = (blog: Blog) => {
  const { id, isRecommend, version } = blog
  return step(recommendCommunityBlog, {
    label: isRecommend ? '取消推荐' : '推荐',
    with: { body: { id, isRecommend: !isRecommend, version } },
    disabled: isRecommend ? undefined : hidden(blog, '推荐'),
    done: isRecommend ? '已取消推荐' : '已推荐',
    undo: () => undoBy(recommendCommunityBlog, { body: { id, isRecommend, version: version + 1 } }),
  })
}

const shelving = ({ id, title, putaway, version }: Blog) =>
  step(shelveCommunityBlog, {
    label: putaway === 'on' ? '下架' : '上架',
    with: { body: { id, putaway: putaway === 'on' ? 'off' : 'on', version } },
    confirm: putaway === 'on' ? { title: `下架“${title}”？`, content: '网站上不再显示它，可以重新上架。' } : undefined,
    done: putaway === 'on' ? '已下架' : '已上架',
    undo: () => undoBy(shelveCommunityBlog, { body: { id, putaway, version: version + 1 } }),
  })

/** 博客管理: what bloggers write. */
export const BlogsPage = () => {
  const table = useQueryTable(listCommunityBlogs)
  const decision = useDrawer<Blog>()
  const comments = useDrawer<Blog>()
  return (
    <Page
      title="博客管理"
      help="学员发表的博客；审核通过、已上架且博主未停用的在网站上显示，删除博客会一并删除其评论。"
      personal
    >
      <Segments table={table} field="auditStatus" label="审核状态" />
      <FilterBar table={table}>
        <TextFilter of={listCommunityBlogs} field="title" />
        <TextFilter of={listCommunityBlogs} field="bloggerName" />
        <EnumFilter of={listCommunityBlogs} field="putaway" />
        <YesNoFilter of={listCommunityBlogs} field="visible" />
        <YesNoFilter of={listCommunityBlogs} field="isTop" />
        <YesNoFilter of={listCommunityBlogs} field="isRecommend" />
        <DateRangeFilter of={listCommunityBlogs} from="createdFrom" to="createdTo" label="发表日期" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={nameOf}
        tools={<ExportButton do={exportCommunityBlogs} table={table} />}
        bulk={[
          bulkStep(auditCommunityBlogs, {
            label: '批量通过',
            confirm: (count) => ({
              title: `通过选中的${count}篇博客？`,
              content: '通过后立即显示；已审核的保留并说明原因。',
            }),
            input: (ids) => ({ body: { ids, auditStatus: 'approved' } }),
          }),
          bulkStep(deleteCommunityBlogs, {
            label: '批量删除',
            danger: true,
            confirm: askRemoval('博客'),
            input: (ids) => ({ body: { ids } }),
          }),
        ]}
        file={(blog) => <BlogText id={blog.id} />}
        detail={historyOf(viewCommunityBlog, 'blog')}
        actionsWidth={230}
        actions={(blog) =>
          byState([
            {
              label: '审核',
              do: auditCommunityBlog,
              disabled: isWaiting(blog) ? undefined : '该博客已审核',
              onClick: () => decision.open(blog),
            },
            { label: '评论', do: listBlogComments, onClick: () => comments.open(blog) },
            topping(blog),
            recommending(blog),
            shelving(blog),
            removal(deleteCommunityBlog, { id: blog.id, name: nameOf(blog) }),
          ])
        }
        empty="还没有博客。学员在网站发表后在这里审核。"
      />
      <DecideBlog key={decision.key} {...decision.props} rows={table.rows} waiting={countOf(table.segments, WAITING)} />
      <BlogComments key={`comments-${comments.key}`} {...comments.props} />
    </Page>
  )
}
