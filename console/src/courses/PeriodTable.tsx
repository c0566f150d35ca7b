import { Empty, Table } from '@arco-design/web-react'
import { useState } from 'react'
import type { Caller } from '@/api/client'
import { signFileUrl } from '@/api/infra'
import type { RowOf } from '@/api/operation'
import { useCall } from '@/api/schoolContext'
import { step } from '@/kit/actions'
import { formatSpan, formatTime } from '@/kit/format'
import { isWebAddress } from '@/kit/RichTextView'
import { RowActions } from '@/kit/RowActions'
import { Enabled, type Tone, Word } from '@/kit/Status'
import { switching } from '@/kit/steps'
import { usePhone } from '@/kit/useMedia'
import { useTreeOrder } from '@/kit/useTreeOrder'
import { viewMedia } from '@/settings/api'
import { changePeriodStatus, deletePeriod, editPeriod, listPeriods, retryPeriod, sortPeriods } from './api'
import { MediaPreview } from './MediaPreview'

type Period = RowOf<typeof listPeriods>

const kinds = Object.fromEntries(listPeriods.columns.kind?.options ?? [])
const states = Object.fromEntries(listPeriods.columns.mediaState?.options ?? [])
const tones: Record<string, Tone> = { uploading: 'busy', processing: 'busy', ready: 'good', failed: 'bad' }

const State = ({ period }: { period: Period }) => {
  if (period.mediaState)
    return (
      <>
        <Word tone={tones[period.mediaState]}>{states[period.mediaState] ?? period.mediaState}</Word>
        {period.failReason && <small> {period.failReason}</small>}
      </>
    )
  if (period.kind === 'live') return <span>{formatTime(period.liveStartsAt, 'MM-DD HH:mm')} 开始</span>
  return <Word tone="good">就绪</Word>
}

const extentOf = ({ durationSeconds, pageCount }: Period) => {
  if (durationSeconds) return formatSpan(durationSeconds)
  return pageCount ? `${pageCount}页` : <span className="nothing">—</span>
}

/** Opens what has an address: a document by a signed one of some minutes, a live lesson or a link by its own. */
const preview = async (call: Caller, { fileKey, url }: Period) => {
  const address = fileKey ? (await call(signFileUrl, { query: { key: fileKey } })).url : url
  if (address && (fileKey || isWebAddress(address))) window.open(address, '_blank', 'noopener')
}

interface PeriodTableProps {
  periods: readonly Period[]
  empty: string
  edit: (period: Period) => void
}

/** The periods of a record in the order of the syllabus. Within one chapter they can be put in another order. */
export const PeriodTable = ({ periods, empty, edit }: PeriodTableProps) => {
  const call = useCall()
  const phone = usePhone()
  const [shown, setShown] = useState<Period>()
  const isOneChapter = new Set(periods.map(({ chapterId }) => chapterId)).size === 1
  const [first] = periods
  const write = async (id: number, sortNo: number) => {
    if (!first) return
    const place = (period: Period) => (period.id === id ? sortNo : period.sortNo)
    const ids = [...periods].sort((a, b) => place(a) - place(b)).map((period) => period.id)
    await call(sortPeriods, { body: { courseRecordId: first.courseRecordId, chapterId: first.chapterId, ids } })
  }
  const order = useTreeOrder({
    roots: periods.map(({ id, title, sortNo }) => ({ id, name: title, sortNo: sortNo * 10, children: [] })),
    edit: sortPeriods,
    write: (id, sortNo) => write(id, sortNo / 10),
    filtered: !isOneChapter,
  })
  return (
    <>
      <Table
        rowKey="id"
        size="small"
        data={[...periods]}
        pagination={false}
        border={{ wrapper: true }}
        onRow={order.row}
        noDataElement={<Empty description={empty} />}
        scroll={{ x: 720 }}
        columns={[
          { title: '课时', dataIndex: 'title', width: 200 },
          { title: '类型', dataIndex: 'kind', width: 80, render: (kind: string) => kinds[kind] ?? kind },
          {
            title: '状态',
            dataIndex: 'mediaState',
            width: 110,
            render: (_: unknown, period: Period) => <State period={period} />,
          },
          {
            title: '时长/页数',
            dataIndex: 'durationSeconds',
            width: 100,
            render: (_: unknown, period: Period) => extentOf(period),
          },
          { title: '必修', dataIndex: 'required', width: 60, render: (yes: boolean) => (yes ? '是' : '否') },
          { title: '启用', dataIndex: 'enabled', width: 70, render: (on: boolean) => <Enabled value={on} /> },
          {
            title: '操作',
            dataIndex: 'actions',
            width: phone ? 90 : 190,
            fixed: 'right',
            render: (_: unknown, period: Period) => (
              <RowActions
                folded={phone}
                actions={[
                  { label: '编辑', do: editPeriod, onClick: () => edit(period) },
                  switching(changePeriodStatus, { ...period, name: period.title }),
                  ...(period.mediaState === 'failed'
                    ? [
                        step(retryPeriod, {
                          label: '重试',
                          with: { body: { id: period.id } },
                          done: '已重新提交，稍后刷新状态',
                        }),
                      ]
                    : []),
                  ...(period.fileKey || period.url
                    ? [
                        {
                          label: '预览',
                          do: period.fileKey ? signFileUrl : listPeriods,
                          onClick: () => preview(call, period),
                        },
                      ]
                    : []),
                  ...(period.mediaAssetId && period.mediaState === 'ready'
                    ? [{ label: '预览', do: viewMedia, onClick: () => setShown(period) }]
                    : []),
                  ...order.actions(period),
                  step(deletePeriod, {
                    label: '删除',
                    danger: true,
                    with: { query: { id: period.id } },
                    confirm: { title: `确定删除“${period.title}”吗？`, content: '删除后不能恢复。' },
                    done: `已删除“${period.title}”`,
                  }),
                ]}
              />
            ),
          },
        ]}
      />
      {shown && <MediaPreview period={shown} onClose={() => setShown(undefined)} />}
    </>
  )
}
