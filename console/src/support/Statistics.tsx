import { Button, DatePicker, Empty, Table } from '@arco-design/web-react'
import { IconRefresh } from '@arco-design/web-react/icon'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useAllowed } from '@/api/identity'
import type { DataOf } from '@/api/operation'
import { useRequest } from '@/api/schoolContext'
import { Chart } from '@/kit/Chart'
import { formatNumber, formatPercent, formatTenths, formatTime } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import { useAddress } from '@/kit/useAddress'
import { useDrawer } from '@/kit/useDrawer'
import { ArticlePreview, type Looked } from './ArticlePreview'
import type { Desk } from './desks'
import '@/kit/figures.css'
import './support.css'

type Figures = DataOf<Desk['statistics']>
type Read = Figures['mostRead'][number]
type Asked = NonNullable<Figures['questions']>

interface SectionProps {
  title: string
  help?: string
  empty?: string | false
  children: ReactNode
}

const Section = ({ title, help, empty = false, children }: SectionProps) => (
  <section className="overview-figure" aria-label={title}>
    <h2 title={help}>{title}</h2>
    {empty ? <Empty description={empty} /> : children}
  </section>
)

const reads = (days: Figures['days']) => ({
  title: '每日阅读',
  kind: 'line' as const,
  unit: '次',
  series: [{ name: '阅读', points: days.map((each) => ({ name: each.day, value: each.reads })) }],
})

interface CardProps {
  label: string
  help: string
  /** The list of those who are counted. */
  status?: string
  children: ReactNode
}

const Card = ({ label, help, status, children }: CardProps) => (
  <li title={help}>
    <span>{label}</span>
    <strong>
      {status ? (
        <Link className="overview-link" to={`?tab=questions&status=${status}`}>
          {children}
        </Link>
      ) : (
        children
      )}
    </strong>
  </li>
)

const Cards = ({ asked, listed }: { asked: Asked; listed: boolean }) => (
  <ul className="overview-cards" aria-label="咨询">
    <Card label="待回复" help="现在等待回复的咨询" status={listed ? 'waiting' : undefined}>
      {formatNumber(asked.waiting)}
    </Card>
    <Card label="已回复" help="现在已回复、尚未关闭的咨询" status={listed ? 'replied' : undefined}>
      {formatNumber(asked.replied)}
    </Card>
    <Card label="已关闭" help="已关闭的咨询" status={listed ? 'closed' : undefined}>
      {formatNumber(asked.closed)}
    </Card>
    <Card label="期间提问" help="统计期间新提的咨询">
      {formatNumber(asked.asked)}
    </Card>
    <Card label="首次回复" help="统计期间的提问到第一次回复的平均时长">
      {asked.firstReplyHours == null ? '—' : `${formatTenths(asked.firstReplyHours)}小时`}
    </Card>
    <Card label="满意率" help="统计期间关闭的咨询：满意÷(满意+不满意)">
      {formatPercent(asked.satisfiedRate)}
    </Card>
  </ul>
)

/** Articles with how they were read; a title opens the article. */
const ReadTable = ({ rows, open }: { rows: readonly Read[]; open: (article: Looked) => void }) => (
  <Table
    size="small"
    rowKey={({ source, id }) => `${source}-${id}`}
    pagination={false}
    data={[...rows]}
    scroll={{ x: 460, y: 320 }}
    columns={[
      {
        title: '文章',
        render: (_, article) => (
          <button type="button" className="row-name" onClick={() => open(article)}>
            {article.title}
          </button>
        ),
      },
      { title: '来源', width: 70, render: (_, { source }) => (source === 'platform' ? '平台' : '本校') },
      { title: '阅读', dataIndex: 'reads', width: 80, align: 'right', render: formatNumber },
      { title: '没用', dataIndex: 'unhelpful', width: 80, align: 'right', render: formatNumber },
      { title: '有用率', dataIndex: 'helpfulRate', width: 90, align: 'right', render: formatPercent },
    ]}
  />
)

/** 统计: what is read, what helps least, what is looked for in vain, how questions are answered. */
export const Statistics = ({ desk }: { desk: Desk }) => {
  const request = useRequest()
  const [search, setSearch] = useAddress()
  const days = { from: search.get('from') ?? undefined, to: search.get('to') ?? undefined }
  const query = useQuery({
    queryKey: [desk.statistics.path, days],
    queryFn: ({ signal }) => request(desk.statistics, { body: days }, { signal }),
    placeholderData: keepPreviousData,
  })
  const listed = useAllowed()(desk.questions)
  const preview = useDrawer<Looked>()
  const choose = ([from, to]: readonly string[]) =>
    setSearch((before) => {
      const after = new URLSearchParams(before)
      if (from && to) {
        after.set('from', from)
        after.set('to', to)
      } else {
        after.delete('from')
        after.delete('to')
      }
      return after
    })
  return (
    <Loaded query={query}>
      {(figures) => (
        <div className="help-stat">
          <div className="help-stat-head">
            <DatePicker.RangePicker
              inputProps={[{ 'aria-label': '统计日期开始' }, { 'aria-label': '统计日期结束' }]}
              allowClear={days.from !== undefined}
              value={[figures.from, figures.to]}
              onChange={(chosen) => choose(chosen ?? [])}
            />
            <span className="form-hint">数据截至 {formatTime(figures.dataUntil)}</span>
            <Button icon={<IconRefresh />} loading={query.isFetching} onClick={() => query.refetch()}>
              刷新
            </Button>
          </div>
          {figures.questions && <Cards asked={figures.questions} listed={listed} />}
          <Section title="每日阅读" help="每人每篇每天计一次">
            <Chart data={reads(figures.days)} />
          </Section>
          <div className="overview-charts">
            <Section title="阅读最多" help="前20篇" empty={figures.mostRead.length === 0 && '这段时间没有人阅读'}>
              <ReadTable rows={figures.mostRead} open={preview.open} />
            </Section>
            <Section
              title="评价最低"
              help="至少有1条“没用”的文章，按有用率从低到高"
              empty={figures.leastHelpful.length === 0 && '这段时间没有“没用”的评价'}
            >
              <ReadTable rows={figures.leastHelpful} open={preview.open} />
            </Section>
            <Section
              title="搜索无结果"
              help="每人每天每个词计一次；可以据此补充文章"
              empty={figures.misses.length === 0 && '这段时间的搜索都有结果'}
            >
              <Table
                size="small"
                rowKey="word"
                pagination={false}
                data={figures.misses}
                scroll={{ y: 320 }}
                columns={[
                  { title: '搜索词', dataIndex: 'word' },
                  { title: '次数', dataIndex: 'count', width: 80, align: 'right', render: formatNumber },
                  { title: '最近日期', dataIndex: 'lastDay', width: 120 },
                ]}
              />
            </Section>
          </div>
          <ArticlePreview key={preview.key} {...preview.props} desk={desk} />
        </div>
      )}
    </Loaded>
  )
}
