import type { Chart } from '@/api/types/overview'
import { formatNumber } from '@/kit/format'

const WIDTH = 560
const HEIGHT = 180
const LEFT = 40
const BOTTOM = 22
const TOP = 8

/** A round number above the largest value, for the axis. */
export const ceilingOf = (most: number) => {
  if (most <= 5) return 5
  const step = 10 ** Math.floor(Math.log10(most))
  return Math.ceil(most / step) * step
}

/** Lines over days; told apart by their dashes too, not by colour alone. */
export const LineChart = ({ chart }: { chart: Chart }) => {
  const values = chart.series.flatMap(({ points }) => points.map(({ value }) => value))
  const top = ceilingOf(Math.max(0, ...values))
  const days = chart.series[0]?.points ?? []
  const x = (at: number) => LEFT + (at * (WIDTH - LEFT - 8)) / Math.max(1, days.length - 1)
  const y = (value: number) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - value / top)
  const named = [0, Math.floor(days.length / 2), days.length - 1]
  return (
    <>
      <svg className="overview-line" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={chart.title}>
        {[0, top / 2, top].map((value) => (
          <g key={value}>
            <line x1={LEFT} x2={WIDTH} y1={y(value)} y2={y(value)} className="grid" />
            <text x={LEFT - 6} y={y(value) + 4} textAnchor="end">
              {formatNumber(value)}
            </text>
          </g>
        ))}
        {named.map((at, place) => (
          <text key={at} x={x(at)} y={HEIGHT - 4} textAnchor={(['start', 'middle', 'end'] as const)[place]}>
            {days[at]?.name.slice(5)}
          </text>
        ))}
        {chart.series.map(({ name, points }, index) => (
          <g key={name} className={`line-${index}`}>
            <polyline points={points.map(({ value }, at) => `${x(at)},${y(value)}`).join(' ')} />
            {points.map((point, at) => (
              <circle key={point.name} cx={x(at)} cy={y(point.value)} r={3}>
                <title>{`${point.name} ${name} ${formatNumber(point.value)}${chart.unit}`}</title>
              </circle>
            ))}
          </g>
        ))}
      </svg>
      {chart.series.length > 1 && (
        <p className="overview-legend">
          {chart.series.map(({ name }, index) => (
            <span key={name} className={`line-${index}`}>
              {name}
            </span>
          ))}
        </p>
      )}
    </>
  )
}
