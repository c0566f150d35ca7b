import { Button } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { tellSuccess } from '@/api/errors'
import { useIdentity } from '@/api/identity'
import { refetchAll } from '@/api/query'
import { useCall } from '@/api/schoolContext'
import { type BulkResult, bulkStep, type RowAction, step } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { DateRangeFilter, EnumFilter, TextFilter } from '@/kit/filters'
import { formatPercent, formatTime } from '@/kit/format'
import { QueryTable } from '@/kit/QueryTable'
import { Word } from '@/kit/Status'
import { askRemoval, removal } from '@/kit/steps'
import { undoBy } from '@/kit/undo'
import { useDrawer } from '@/kit/useDrawer'
import { useQueryTable } from '@/kit/useQueryTable'
import { type ArticleDraft, ArticleDrawer } from './ArticleDrawer'
import { ArticlePreview, VersionsDrawer } from './ArticlePreview'
import { listStudentHelpArticles } from './api'
import { CategoryTree } from './CategoryTree'
import { CategoryFilter } from './categories'
import type { Article, Desk } from './desks'
import { MoveDialog } from './MoveDialog'
import { OrderDialog } from './OrderDialog'
import { PublishDialog, type Publishing } from './PublishDialog'
import { articleTones, can, filterOf, formOf } from './supportRules'
import './support.css'

const marksOf = ({ pinned, changed, status, publishAt, hidden, hiddenSchools }: Article) => (
  <>
    {pinned && <Word tone="busy">置顶</Word>}
    {status === 'published' && changed && <Word tone="warning">有未发布的修改</Word>}
    {publishAt && <Word tone="busy">{formatTime(publishAt, 'MM-DD HH:mm')} 发布</Word>}
    {hidden && <Word tone="quiet">已隐藏</Word>}
    {hiddenSchools > 0 && <Word tone="quiet">已被{hiddenSchools}所院校隐藏</Word>}
  </>
)

// The columns are the same at every desk.
const columns = columnsOf(listStudentHelpArticles, [
  { field: 'title', width: 260, fixed: 'left' },
  { field: 'status', width: 90, fixed: 'left', tones: articleTones },
  { field: 'pinned', title: '标记', width: 220, render: marksOf },
  { field: 'categoryName', width: 160 },
  { field: 'source', width: 80 },
  {
    field: 'schoolNames',
    width: 160,
    render: ({ source, schoolIds, schoolNames }) => {
      if (source === 'school') return <span className="nothing">—</span>
      return schoolIds.length === 0 ? '全部院校' : schoolNames.join('、') || '本校'
    },
  },
  { field: 'viewCount', width: 90 },
  {
    field: 'helpfulRate',
    title: '有用率',
    help: '有用÷(有用+没用)，每人每篇每天计一次',
    width: 100,
    render: ({ helpfulRate }) => formatPercent(helpfulRate),
  },
  { field: 'versionNo', title: '版本', width: 80 },
  { field: 'updatedAt', width: 170 },
  { field: 'keywords', width: 180, hidden: true },
  { field: 'sort', width: 80, hidden: true },
  { field: 'publishedAt', width: 170, hidden: true },
  { field: 'offlineAt', width: 170, hidden: true },
  { field: 'helpful', width: 80, hidden: true },
  { field: 'unhelpful', width: 80, hidden: true },
  { field: 'createdAt', width: 170, hidden: true },
])

/** Reads an article and writes it again with one thing otherwise: an edit replaces all of it. */
const usePinning = (desk: Desk) => {
  const call = useCall()
  return useMutation({
    mutationFn: async ({ id, pinned }: Article) => {
      const now = await call(desk.view, { query: { id } })
      await call(desk.edit, { body: { ...formOf(now), pinned: !pinned } })
    },
    onSuccess: async (_, { title, pinned }) => {
      await refetchAll()
      tellSuccess(pinned ? `已取消置顶“${title}”` : `已置顶“${title}”`)
    },
  })
}

/** 文章: what is written at a desk, and in a school what the platform publishes for it. */
export const Articles = ({ desk }: { desk: Desk }) => {
  const inside = useIdentity((state) => state.account?.area) === 'school'
  const table = useQueryTable(desk.list)
  const source = table.filters.source === 'platform' && inside ? 'platform' : undefined
  const own = source === undefined
  const category = table.filters.categoryId ? Number(table.filters.categoryId) : undefined
  /** The categories of the other side have other numbers. */
  const setFilters: typeof table.setFilters = (values) =>
    table.setFilters('source' in values ? { ...values, categoryId: undefined } : values)
  const form = useDrawer<ArticleDraft>()
  const preview = useDrawer<Article>()
  const versions = useDrawer<Article>()
  const [publishing, setPublishing] = useState<Publishing>()
  const [moving, setMoving] = useState<readonly number[]>()
  const [ordering, setOrdering] = useState<number>()
  const pin = usePinning(desk)
  const left = (failed: BulkResult['failed'] = []) => table.tickRows(failed)

  const ofPlatform = (article: Article): readonly RowAction[] => [
    { label: '预览', do: desk.view, onClick: () => preview.open(article) },
    step(desk.hide, {
      label: article.hidden ? '取消隐藏' : '隐藏',
      with: { body: { id: article.id, hidden: !article.hidden } },
      confirm: article.hidden
        ? undefined
        : { title: `对本校人员隐藏“${article.title}”？`, content: '本校人员不再看到这篇平台文章，其他院校不受影响。' },
      done: article.hidden ? `已取消隐藏“${article.title}”` : `已隐藏“${article.title}”`,
      undo: () => undoBy(desk.hide, { body: { id: article.id, hidden: article.hidden } }),
    }),
  ]
  const ofOwn = (article: Article): readonly RowAction[] => [
    { label: '编辑', do: desk.edit, onClick: () => form.open({ id: article.id }) },
    {
      label: '发布',
      do: desk.publish,
      disabled: can.publish(article),
      onClick: () => setPublishing({ ids: [article.id], title: `发布“${article.title}”` }),
    },
    { label: '预览', do: desk.view, onClick: () => preview.open(article) },
    step(desk.offline, {
      label: article.status !== 'published' && article.publishAt ? '取消定时' : '下线',
      danger: article.status === 'published',
      disabled: can.offline(article),
      with: { body: { ids: [article.id] } },
      confirm:
        article.status === 'published'
          ? { title: `下线“${article.title}”？`, content: '读者不再看到这篇文章，可以重新发布。' }
          : undefined,
      done: article.status === 'published' ? `已下线“${article.title}”` : '已取消定时发布',
    }),
    { label: article.pinned ? '取消置顶' : '置顶', do: desk.edit, onClick: () => pin.mutate(article) },
    { label: '复制', do: desk.save, onClick: () => form.open({ copyOf: article.id }) },
    { label: '版本', do: desk.view, onClick: () => versions.open(article) },
    { ...removal(desk.remove, { id: article.id, name: article.title }), disabled: can.remove(article) },
  ]

  return (
    <div className="help-desk">
      <CategoryTree
        desk={desk}
        source={source}
        own={own}
        value={category}
        onChange={(id) => table.setFilters({ categoryId: id === undefined ? undefined : String(id) })}
      />
      <div className="help-list">
        <FilterBar table={{ ...table, setFilters }}>
          <TextFilter of={desk.list} field="title" />
          <EnumFilter of={desk.list} field="status" />
          {inside && <EnumFilter of={desk.list} field="source" />}
          <CategoryFilter desk={desk} source={source} field="categoryId" />
          <DateRangeFilter of={desk.list} from="publishedFrom" to="publishedTo" label="发布日期" />
        </FilterBar>
        <QueryTable
          table={table}
          columns={columns}
          nameOf={({ title }) => title}
          actionsWidth={220}
          actions={own ? ofOwn : ofPlatform}
          primary={
            <Can do={desk.save}>
              <Button
                type="primary"
                icon={<IconPlus />}
                onClick={() => form.open({ categoryId: own ? category : null })}
              >
                新增文章
              </Button>
            </Can>
          }
          tools={
            <>
              {own && (
                <Can do={desk.sort}>
                  <Button
                    disabled={category === undefined}
                    title={category === undefined ? '请先在左侧选择分类' : undefined}
                    onClick={() => setOrdering(category)}
                  >
                    调整顺序
                  </Button>
                </Can>
              )}
              <ExportButton
                do={desk.export}
                table={{ body: { part: 'articles', articles: filterOf(table.body) }, total: table.total }}
              />
            </>
          }
          bulk={
            own
              ? [
                  {
                    label: '批量发布',
                    do: desk.publish,
                    open: (ids) => setPublishing({ ids, title: `发布${ids.length}篇文章`, done: left }),
                  },
                  bulkStep(desk.offline, {
                    label: '批量下线',
                    confirm: (count) => ({
                      title: `下线${count}篇文章？`,
                      content: '读者不再看到它们，可以重新发布。',
                    }),
                    input: (ids) => ({ body: { ids } }),
                  }),
                  { label: '移动分类', do: desk.sort, open: setMoving },
                  bulkStep(desk.removeMany, {
                    label: '批量删除',
                    danger: true,
                    confirm: askRemoval('文章'),
                    input: (ids) => ({ body: { ids } }),
                  }),
                ]
              : []
          }
          empty={own ? '还没有文章。先在左侧新增分类，再新增文章。' : '平台还没有为本校发布文章。'}
        />
      </div>
      <ArticleDrawer key={`form-${form.key}`} {...form.props} desk={desk} />
      <ArticlePreview key={`preview-${preview.key}`} {...preview.props} desk={desk} />
      <VersionsDrawer key={`versions-${versions.key}`} {...versions.props} desk={desk} />
      {publishing && <PublishDialog desk={desk} wanted={publishing} onClose={() => setPublishing(undefined)} />}
      {moving && <MoveDialog desk={desk} ids={moving} done={left} onClose={() => setMoving(undefined)} />}
      {ordering !== undefined && (
        <OrderDialog desk={desk} categoryId={ordering} onClose={() => setOrdering(undefined)} />
      )}
    </div>
  )
}
