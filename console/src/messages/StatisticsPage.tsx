import { Alert, Empty, Table } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { call } from '@/api/client'
import type { RowOf } from '@/api/operation'
import { Chart } from '@/kit/Chart'
import { formatNumber, formatPercent, formatTime } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import { labelOf } from '@/kit/labels'
import { Page } from '@/kit/Page'
import { RowActions } from '@/kit/RowActions'
import { useTabTitle } from '@/kit/tab'
import { paths } from '@/paths'
import { listMessageFailures, listMessageReaders, saveMessage, viewMessageStatistics } from './api'
import { evenly, failuresChart, timesChart } from './figures'
import '@/kit/figures.css'
import './messages.css'

type Figures = RowOf<typeof viewMessageStatistics>

const REFRESH_MS = 5000

/** Channels without receipts have none to count. */
const orNone = (count: number | null | undefined) => (count == null ? '—' : formatNumber(count))

const Card = ({ label, help, children }: { label: string; help: string; children: ReactNode }) => (
  <div className="stat-card" title={help}>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
)

const Cards = ({ total }: Pick<Figures, 'total'>) => (
  <dl className="stat-cards">
    <Card label="接收人数" help="不同的人">
      {formatNumber(total.persons)}
    </Card>
    <Card label="投递数" help="每人每渠道为一条">
      {formatNumber(total.deliveries)}
    </Card>
    <Card label="成功" help="已发送和已送达">
      {formatNumber(total.succeeded)}
    </Card>
    <Card label="送达" help="服务商回执已送达的短信；没有回执时显示“—”">
      {orNone(total.delivered)}
    </Card>
    <Card label="失败" help="重试后仍未发出，或服务商回执未送达">
      {formatNumber(total.failed)}
    </Card>
    <Card label="到达率" help="成功÷(成功＋失败)">
      {formatPercent(total.arrivalRate)}
    </Card>
    <Card label="阅读率" help="已读÷站内信成功">
      {formatPercent(total.readRate)}
    </Card>
    <Card label="已读" help="只计站内信">
      {formatNumber(total.read)}
    </Card>
    <Card label="短信条数" help="70字以内为1条，更长的每67字1条">
      {formatNumber(total.segments)}
    </Card>
  </dl>
)

const Section = ({ title, empty, children }: { title: string; empty: boolean; children: ReactNode }) => (
  <section className="stat-section" aria-label={title}>
    <h2>{title}</h2>
    {empty ? <Empty description="没有数据" /> : children}
  </section>
)

/** 发送统计: of one message, with the definition of each figure on hover. */
export const StatisticsPage = () => {
  const id = Number(new URLSearchParams(useLocation().search).get('id'))
  const query = useQuery({
    queryKey: [viewMessageStatistics.path, id],
    queryFn: () => call(viewMessageStatistics, { query: { id } }),
    refetchInterval: ({ state }) => (state.data?.status === 'sending' ? REFRESH_MS : false),
  })
  useTabTitle(query.data?.title)
  return <Loaded query={query}>{(figures) => <Statistics figures={figures} id={id} />}</Loaded>
}

const Statistics = ({ figures, id }: { figures: Figures; id: number }) => {
  const navigate = useNavigate()
  const to = (path: string, schoolId: number) => navigate(`${path}?id=${id}&schoolId=${schoolId}`)
  const { byChannel, byHour, byClass, bySchool, byFailCode } = figures
  const times = evenly(byHour)
  return (
    <Page title={`发送统计 ${figures.title}`} help={`数据截至 ${formatTime(figures.computedAt)}`}>
      <div className="stat-page">
        {figures.status === 'sending' && <Alert type="info" content="消息正在发送，数字每5秒更新。" />}
        <Cards total={figures.total} />
        {bySchool.length > 0 && (
          <Section title="按院校" empty={false}>
            <Table
              size="small"
              rowKey="schoolId"
              pagination={false}
              data={bySchool}
              columns={[
                { title: '院校', dataIndex: 'schoolName' },
                { title: '状态', dataIndex: 'status', width: 110 },
                { title: '接收人数', dataIndex: 'persons', width: 110, align: 'right', render: formatNumber },
                { title: '成功', dataIndex: 'succeeded', width: 110, align: 'right', render: formatNumber },
                { title: '失败', dataIndex: 'failed', width: 110, align: 'right', render: formatNumber },
                { title: '已读', dataIndex: 'read', width: 110, align: 'right', render: formatNumber },
                { title: '说明', dataIndex: 'failReason' },
                {
                  title: '操作',
                  width: 170,
                  render: (_, { schoolId }) => (
                    <RowActions
                      actions={[
                        {
                          label: '查看统计',
                          do: listMessageReaders,
                          onClick: () => to(paths.messageReaders, schoolId),
                        },
                        {
                          label: '失败记录',
                          do: listMessageFailures,
                          onClick: () => to(paths.messageFailures, schoolId),
                        },
                      ]}
                    />
                  ),
                },
              ]}
            />
          </Section>
        )}
        <Section title="按渠道" empty={byChannel.length === 0}>
          <Chart
            data={{
              title: '按渠道',
              kind: 'bar',
              unit: '条',
              series: [
                {
                  name: '投递数',
                  points: byChannel.map(({ channel, deliveries }) => ({
                    name: labelOf(saveMessage, 'channels', channel),
                    value: deliveries,
                  })),
                },
              ],
            }}
          />
          <Table
            size="small"
            rowKey="channel"
            pagination={false}
            data={byChannel}
            columns={[
              { title: '渠道', render: (_, row) => labelOf(saveMessage, 'channels', row.channel) },
              { title: '投递数', dataIndex: 'deliveries', width: 110, align: 'right', render: formatNumber },
              { title: '成功', dataIndex: 'succeeded', width: 110, align: 'right', render: formatNumber },
              { title: '送达', dataIndex: 'delivered', width: 110, align: 'right', render: orNone },
              { title: '失败', dataIndex: 'failed', width: 110, align: 'right', render: formatNumber },
              { title: '待发送', dataIndex: 'waiting', width: 110, align: 'right', render: formatNumber },
            ]}
          />
        </Section>
        <Section title="失败原因" empty={byFailCode.length === 0}>
          <Chart
            data={failuresChart(
              byFailCode.map(({ code, count }) => ({
                name: labelOf(listMessageFailures, 'failCode', code),
                value: count,
              })),
            )}
          />
        </Section>
        <Section title={times.byDays ? '按天' : '按小时'} empty={times.parts.length === 0}>
          <Chart data={timesChart(times.parts)} />
        </Section>
        {bySchool.length === 0 && (
          <Section title="按站点和班级" empty={byClass.length === 0}>
            <Table
              size="small"
              rowKey={(row) => `${row.siteName}-${row.className}`}
              pagination={false}
              data={byClass}
              scroll={{ y: 320 }}
              columns={[
                { title: '站点', render: (_, row) => row.siteName ?? '—' },
                { title: '班级', render: (_, row) => row.className ?? '未分班' },
                { title: '接收人数', dataIndex: 'persons', width: 110, align: 'right', render: formatNumber },
                { title: '成功', dataIndex: 'succeeded', width: 110, align: 'right', render: formatNumber },
                { title: '失败', dataIndex: 'failed', width: 110, align: 'right', render: formatNumber },
                { title: '已读', dataIndex: 'read', width: 110, align: 'right', render: formatNumber },
              ]}
            />
          </Section>
        )}
      </div>
    </Page>
  )
}
