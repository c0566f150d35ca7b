import { Alert, Button, Spin } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { call } from '@/api/client'
import { messageOf } from '@/api/errors'
import { formatNumber, formatPercent, formatTime } from '@/kit/format'
import { Page } from '@/kit/Page'
import { TabList } from '@/kit/TabList'
import { viewDatabaseOverview } from './api'
import { Jobs } from './Jobs'
import { REFRESH_MS } from './refresh'
import { Schools } from './Schools'
import { Sessions } from './Sessions'
import { Statements } from './Statements'
import '@/kit/figures.css'

const tabs = [
  ['statement', '慢语句'],
  ['school', '院校'],
  ['session', '会话与锁'],
  ['job', '任务'],
] as const

/** The cards; each says on hover what it counts. */
const Cards = () => {
  const overview = useQuery({
    queryKey: [viewDatabaseOverview.path],
    queryFn: () => call(viewDatabaseOverview),
    refetchInterval: REFRESH_MS,
  })
  if (overview.isPending) return <Spin block />
  if (overview.isError) {
    return (
      <Alert
        type="error"
        content={messageOf(overview.error)}
        action={
          <Button size="mini" onClick={() => overview.refetch()}>
            重试
          </Button>
        }
      />
    )
  }
  const seen = overview.data
  const most = seen.pools.reduce((sum, pool) => sum + pool.most, 0)
  const pools = seen.pools.map((pool) => `${pool.name} ${pool.inUse}/${pool.size}，上限${pool.most}`).join('；')
  const cards: [title: string, value: string, help: string][] = [
    ['连接池大小', `${seen.poolSize} / ${most}`, `本服务进程已建立的连接与上限：${pools}`],
    ['使用中', String(seen.inUse), '正在执行请求或任务的连接'],
    ['空闲', String(seen.idle), '可立即使用的连接'],
    ['等待中', String(seen.waiting), '正在等待连接的请求'],
    ['获取连接P95', `${seen.acquireP95Ms} 毫秒`, '最近1024次取得连接并开始事务的耗时，95%不超过该值'],
    ['等待超时', `${seen.timeouts} 次`, '本服务启动以来，等待连接超过10秒的请求'],
    ['数据库大小', `${formatNumber(seen.databaseSizeMb)} MB`, '当前数据库在磁盘上的大小'],
    ['数据库连接', `${seen.connections} / ${seen.maxConnections}`, '全部客户端连接与数据库上限'],
    ['缓存命中率', formatPercent(seen.cacheHitPercent), '从内存读到的数据块占比'],
    ['死锁', `${seen.deadlocks} 次`, '统计起始以来'],
    ['服务进程', `${seen.instances} 个`, '连接到该数据库的本系统服务'],
  ]
  return (
    <>
      <ul className="overview-cards" aria-label="数据库概览">
        {cards.map(([title, value, help]) => (
          <li key={title} title={help}>
            <span>{title}</span>
            <strong>{value}</strong>
          </li>
        ))}
      </ul>
      <p className="overview-time">
        {formatTime(seen.computedAt)} · PostgreSQL {seen.serverVersion} · 每10秒刷新
      </p>
    </>
  )
}

/** 数据库监控: is the database well, and what is the reason when it is not. */
export const MonitorPage = () => {
  const [search, setSearch] = useSearchParams()
  const asked = search.get('tab')
  const tab = tabs.find(([each]) => each === asked)?.[0] ?? 'statement'
  return (
    <Page title="数据库监控" help="连接池、慢语句、各院校的库、会话与锁、后台任务。">
      <Cards />
      <div className="list-tabs">
        <TabList
          label="数据库监控"
          tabs={tabs}
          value={tab}
          onChange={(next) => setSearch({ tab: next }, { replace: true })}
        />
      </div>
      {tab === 'statement' && <Statements />}
      {tab === 'school' && <Schools />}
      {tab === 'session' && <Sessions />}
      {tab === 'job' && <Jobs />}
    </Page>
  )
}
