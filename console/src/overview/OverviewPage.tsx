import { Button, Checkbox, Skeleton } from '@arco-design/web-react'
import { IconRefresh } from '@arco-design/web-react/icon'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { call } from '@/api/client'
import { useIdentity } from '@/api/identity'
import { formatTime } from '@/kit/format'
import { Failed } from '@/kit/Loaded'
import { Page } from '@/kit/Page'
import { figureShown, unitShown } from './amounts'
import { viewPlatformDashboard, viewSchoolDashboard } from './api'
import { Figure } from './Figure'
import { SchoolCalendar } from './SchoolCalendar'
import { Shortcuts } from './Shortcuts'
import { Schools, Setup, Todos } from './Today'
import '@/kit/figures.css'

/** Figures change every five minutes at the server. */
const REFETCH_MS = 5 * 60 * 1000

/** 首页 of both areas: figures with a way down to the rows behind them, open work, and what one keeps at hand. */
export const OverviewPage = () => {
  const inside = useIdentity((state) => state.account?.area) === 'school'
  const operation = inside ? viewSchoolDashboard : viewPlatformDashboard
  const client = useQueryClient()
  const [withDemo, setWithDemo] = useState<boolean>()
  const queryKey = withDemo === undefined ? [operation.path] : [operation.path, withDemo]
  const read = (refresh?: boolean) =>
    inside
      ? call(viewSchoolDashboard, { query: { refresh } })
      : call(viewPlatformDashboard, { query: { refresh, demo: withDemo } })
  const dashboard = useQuery({
    queryKey,
    queryFn: () => read(),
    placeholderData: (before) => before,
    refetchInterval: REFETCH_MS,
  })
  const refresh = useMutation({
    mutationFn: () => read(true),
    onSuccess: (fresh) => client.setQueryData(queryKey, fresh),
  })
  if (dashboard.isPending) return <Skeleton animation text={{ rows: 8 }} />
  if (dashboard.isError) {
    return <Failed error={dashboard.error} retry={() => dashboard.refetch()} />
  }
  const { cards, charts, todos, setup, schools, calendar, notices, shortcuts, computedAt, dataUntil, demo } =
    dashboard.data
  return (
    <Page title="首页" help={inside ? '本院校的主要数据，按您的数据范围统计。' : '各院校的主要数据。'}>
      <p className="overview-time">
        统计于 {formatTime(computedAt)}
        {dataUntil && `，院校数据截至 ${formatTime(dataUntil)}`}
        <Button size="mini" icon={<IconRefresh />} loading={refresh.isPending} onClick={() => refresh.mutate()}>
          刷新
        </Button>
        {demo != null && (
          <Checkbox checked={demo} onChange={setWithDemo}>
            包含演示院校
          </Checkbox>
        )}
      </p>
      {setup.length > 0 && <Setup steps={setup} />}
      {todos.length > 0 && <Todos todos={todos} />}
      <ul className="overview-cards" aria-label="主要数据">
        {cards.map(({ key, title, value, unit, help, link, compare }) => (
          <li key={key} title={help}>
            <span>{title}</span>
            <strong className={value === 0 ? 'zero' : undefined}>
              {link ? (
                <Link className="overview-link" to={link}>
                  {figureShown(value, unit)}
                </Link>
              ) : (
                figureShown(value, unit)
              )}
              <small>{unitShown(unit)}</small>
            </strong>
            {compare != null && <small>昨日 {figureShown(compare, unit)}</small>}
          </li>
        ))}
      </ul>
      <div className="overview-side">
        {schools.length > 0 && <Schools schools={schools} />}
        {calendar && <SchoolCalendar calendar={calendar} />}
        {notices.length > 0 && (
          <section aria-label="通知">
            <h2>通知</h2>
            <ul className="overview-notices">
              {notices.map(({ id, title, sentAt, read }) => (
                <li key={id}>
                  {read ? <span>{title}</span> : <strong>{title}</strong>}
                  <small>{formatTime(sentAt)}</small>
                </li>
              ))}
            </ul>
          </section>
        )}
        <Shortcuts shortcuts={shortcuts} query={operation.path} />
      </div>
      <div className="overview-charts">
        {charts.map((chart) => (
          <Figure key={chart.key} chart={chart} />
        ))}
      </div>
    </Page>
  )
}
