import { Button } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import type { RowOf } from '@/api/operation'
import { bulkStep } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { EnabledFilter, EnumFilter, TextFilter } from '@/kit/filters'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { askRemoval, removal, switching } from '@/kit/steps'
import { TabList } from '@/kit/TabList'
import { useDrawer } from '@/kit/useDrawer'
import { usePageTab } from '@/kit/usePageTab'
import { useQueryTable } from '@/kit/useQueryTable'
import { historyOf } from '@/logs/RecordHistory'
import {
  changeGzhAutoReplyStatus,
  deleteGzhAutoReplies,
  deleteGzhAutoReply,
  editGzhAutoReply,
  exportGzhAutoReplies,
  listGzhAutoReplies,
  saveGzhAutoReply,
  viewGzhAutoReply,
} from './api'
import { NotConfiguredOf } from './NotConfigured'
import { ReplyForm, type ReplyKind } from './ReplyForm'

type Reply = RowOf<typeof listGzhAutoReplies>

const tabs: readonly (readonly [ReplyKind, string])[] = [
  ['subscribe', '关注回复'],
  ['default', '默认回复'],
  ['keyword', '关键词回复'],
]

const empties: Record<ReplyKind, string> = {
  subscribe: '还没有关注回复。用户关注公众号后自动收到它，只能启用一条。',
  default: '还没有默认回复。没有匹配的关键词时自动回复它，只能启用一条。',
  keyword: '还没有关键词回复。用户发送的内容匹配关键词时自动回复它。',
}

const SHOWN = 20

/** What is said, shortened. */
const said = ({ content, materialName }: Reply) => {
  const text = content ?? materialName ?? '—'
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text
}

const nameOf = (reply: Reply) => (reply.replyKind === 'keyword' ? reply.keywords.join('、') : said(reply))

const what = columnsOf(listGzhAutoReplies, [
  { field: 'content', width: 320, fixed: 'left', render: (reply) => reply.content ?? reply.materialName ?? '—' },
  { field: 'enabled', fixed: 'left' },
  { field: 'replyType', width: 100 },
  'createdAt',
])

const byKeyword = columnsOf(listGzhAutoReplies, [
  { field: 'keywords', width: 240, fixed: 'left' },
  { field: 'enabled', fixed: 'left' },
  { field: 'matchMode', width: 100 },
  { field: 'replyType', width: 100 },
  { field: 'content', width: 280, render: (reply) => reply.content ?? reply.materialName ?? '—' },
  'sort',
  'createdAt',
])

const Replies = ({ kind, title }: { kind: ReplyKind; title: string }) => {
  const table = useQueryTable(listGzhAutoReplies, { usual: { replyKind: kind } })
  const form = useDrawer<Reply>()
  return (
    <>
      <FilterBar table={table}>
        {kind === 'keyword' && <TextFilter of={listGzhAutoReplies} field="keyword" />}
        <EnumFilter of={listGzhAutoReplies} field="replyType" />
        <EnabledFilter of={listGzhAutoReplies} field="enabled" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={kind === 'keyword' ? byKeyword : what}
        nameOf={nameOf}
        primary={
          <Can do={saveGzhAutoReply}>
            <Button type="primary" icon={<IconPlus />} onClick={() => form.open()}>
              新增{title}
            </Button>
          </Can>
        }
        tools={<ExportButton do={exportGzhAutoReplies} table={table} />}
        bulk={[
          bulkStep(deleteGzhAutoReplies, {
            label: '批量删除',
            danger: true,
            confirm: askRemoval('回复'),
            input: (ids) => ({ body: { ids } }),
          }),
        ]}
        detail={historyOf(viewGzhAutoReply, 'gzh_auto_reply')}
        actionsWidth={180}
        actions={(reply) => [
          { label: '编辑', do: editGzhAutoReply, onClick: () => form.open(reply) },
          switching(changeGzhAutoReplyStatus, { ...reply, name: nameOf(reply) }, '不再自动回复它。'),
          removal(deleteGzhAutoReply, { id: reply.id, name: nameOf(reply) }),
        ]}
        empty={empties[kind]}
      />
      <ReplyForm key={form.key} {...form.props} kind={kind} title={title} />
    </>
  )
}

/** 自动回复: what the account says by itself. */
export const RepliesPage = () => {
  const [asked, setTab] = usePageTab()
  const [kind, title] = tabs.find(([value]) => value === asked) ?? (['subscribe', '关注回复'] as const)
  return (
    <Page
      title="自动回复"
      help="依次匹配完全相同的关键词、包含的关键词，都没有时发送默认回复；点击菜单按其关键词回复。"
    >
      <NotConfiguredOf list={listGzhAutoReplies} />
      <div className="list-tabs">
        <TabList
          label="自动回复"
          tabs={tabs}
          value={kind}
          onChange={(next) => setTab(next === 'subscribe' ? undefined : next)}
        />
      </div>
      <Replies key={kind} kind={kind} title={title} />
    </Page>
  )
}
