import { Empty } from '@arco-design/web-react'
import type { UseQueryResult } from '@tanstack/react-query'
import type { StatChart, StatCharts, StatSummary } from '@/api/types/statistics'
import { Chart } from '@/kit/Chart'
import { formatNumber } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import { boxesOf, cardWords, changeOf, chartOf, type Five, formOf, isEmptyChart, strength } from './statRules'
import '@/kit/figures.css'
import './statistics.css'

type Told<Data> = Pick<UseQueryResult<Data>, 'data' | 'isError' | 'error' | 'refetch'>

/** What the whole filter has come to. */
export const StatCards = ({ query }: { query: Told<StatSummary> }) => (
  <Loaded query={query} rows={1}>
    {({ cards }) => (
      <ul className="overview-cards" aria-label="主要数据">
        {cards.map((card) => {
          const change = changeOf(card)
          return (
            <li key={card.key} title={card.help}>
              <span>{card.title}</span>
              <strong>{cardWords(card)}</strong>
              {change !== undefined && <small>较上期 {change}</small>}
            </li>
          )
        })}
      </ul>
    )}
  </Loaded>
)

/** When is busy: weekdays by hours, the more the stronger. */
const Heat = ({ chart: { title, unit, series } }: { chart: StatChart }) => {
  const most = Math.max(0, ...series.flatMap(({ points }) => points.map(({ value }) => value)))
  const hours = series[0]?.points.map(({ name }) => name) ?? []
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what is wider than the page is scrolled by the keyboard too
    <section className="stat-heat" aria-label={`${title}，单位：${unit}`} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <td />
            {hours.map((hour) => (
              <th key={hour} scope="col">
                {hour.replace('时', '')}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {series.map(({ name, points }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {points.map(({ name: hour, value }) => (
                <td key={hour} title={`${name}${hour}：${formatNumber(value)}${unit}`}>
                  <i style={{ opacity: strength(value, most) }} />
                  <span className="unseen">{value}</span>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** Of a hundred points: the whole range as a line, the middle half as a box, the median as a mark. */
const Box = ({ five: [least, lower, median, upper, most] }: { five: Five }) => (
  <span className="stat-box" aria-hidden="true">
    <i className="stat-range" style={{ left: `${least}%`, width: `${most - least}%` }} />
    <i className="stat-half" style={{ left: `${lower}%`, width: `${upper - lower}%` }} />
    <i className="stat-median" style={{ left: `${median}%` }} />
  </span>
)

const Boxes = ({ chart }: { chart: StatChart }) => (
  <table className="stat-boxes">
    <thead>
      <tr>
        <th scope="col">班级</th>
        {chart.series.map(({ name }) => (
          <th key={name} scope="col" className="number">
            {name}
          </th>
        ))}
        <th scope="col">分布（0–100）</th>
      </tr>
    </thead>
    <tbody>
      {boxesOf(chart).map(({ name, five }) => (
        <tr key={name}>
          <th scope="row">{name}</th>
          {five.map((value, at) => (
            <td key={chart.series[at]?.name} className="number">
              {value}
            </td>
          ))}
          <td>
            <Box five={five} />
          </td>
        </tr>
      ))}
    </tbody>
  </table>
)

const Drawn = ({ chart }: { chart: StatChart }) => {
  if (isEmptyChart(chart)) return <Empty description="没有数据" />
  const form = formOf(chart)
  if (form === 'heat') return <Heat chart={chart} />
  return form === 'boxes' ? <Boxes chart={chart} /> : <Chart data={chartOf(chart)} />
}

/** The charts of a statistic. */
export const StatDrawings = ({ query }: { query: Told<StatCharts> }) => (
  <Loaded query={query} rows={8}>
    {({ charts }) => (
      <div className="overview-charts stat-charts">
        {charts.map((chart) => (
          <section key={chart.key} className="overview-figure" aria-label={chart.title}>
            <h2>
              {chart.title} <small>单位：{chart.unit}</small>
            </h2>
            <Drawn chart={chart} />
          </section>
        ))}
      </div>
    )}
  </Loaded>
)
