import { Button, Empty } from '@arco-design/web-react'
import { useState } from 'react'
import { Link } from 'react-router'
import type { Chart, Point } from '@/api/types/overview'
import { formatNumber } from '@/kit/format'
import { LineChart } from './LineChart'

const shareOf = (value: number, whole: number) => (whole > 0 ? `${((value * 100) / whole).toFixed(1)}%` : '–')

const Name = ({ point }: { point: Point }) =>
  point.link ? (
    <Link className="overview-link" to={point.link}>
      {point.name}
    </Link>
  ) : (
    point.name
  )

/** Bars are a table: the bar is drawn behind the figure, so that nothing is told by length alone. */
const Bars = ({ chart, points }: { chart: Chart; points: readonly Point[] }) => {
  const most = Math.max(1, ...points.map(({ value }) => value))
  const whole = points.reduce((sum, { value }) => sum + value, 0)
  return (
    <table className="overview-bars">
      <caption className="unseen">{chart.title}</caption>
      <tbody>
        {points.map((point) => (
          <tr key={point.name}>
            <th scope="row" title={point.name}>
              <Name point={point} />
            </th>
            <td className="bar">
              <span style={{ width: `${(point.value * 100) / most}%` }} />
            </td>
            <td className="number">{formatNumber(point.value)}</td>
            {chart.kind === 'pie' && <td className="number">{shareOf(point.value, whole)}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The same line as rows. */
const Rows = ({ chart }: { chart: Chart }) => (
  <div className="overview-rows">
    <table>
      <caption className="unseen">{chart.title}</caption>
      <thead>
        <tr>
          <th scope="col">日期</th>
          {chart.series.map(({ name }) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {chart.series[0]?.points.map((point, at) => (
          <tr key={point.name}>
            <th scope="row">{point.name}</th>
            {chart.series.map(({ name, points }) => (
              <td key={name} className="number">
                {formatNumber(points[at]?.value)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

/** A chart with its definition and its rows. */
export const Figure = ({ chart }: { chart: Chart }) => {
  const [rows, setRows] = useState(false)
  const points = chart.series.flatMap((series) => series.points)
  return (
    <section className="overview-figure" aria-label={chart.title}>
      <h2 title={chart.help}>
        {chart.title} <small>单位：{chart.unit}</small>
        {chart.kind === 'line' && (
          <Button size="mini" type="text" onClick={() => setRows(!rows)}>
            {rows ? '查看图表' : '查看数据'}
          </Button>
        )}
      </h2>
      {points.length === 0 && <Empty description="还没有数据" />}
      {chart.kind === 'line' ? (
        rows ? (
          <Rows chart={chart} />
        ) : (
          <LineChart chart={chart} />
        )
      ) : (
        <Bars chart={chart} points={points} />
      )}
    </section>
  )
}
