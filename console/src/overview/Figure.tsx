import { Empty } from '@arco-design/web-react'
import type { Chart as Told } from '@/api/types/overview'
import { Chart } from '@/kit/Chart'
import { chartShown } from './amounts'

const kinds = { line: 'line', bar: 'bar', pie: 'share' } as const

/** A chart with its definition and its figures. */
export const Figure = ({ chart }: { chart: Told }) => {
  const { title, unit, help, kind, series, total } = chartShown(chart)
  const isEmpty = series.every(({ points }) => points.length === 0)
  return (
    <section className="overview-figure" aria-label={title}>
      <h2 title={help}>
        {title} <small>单位：{unit}</small>
      </h2>
      {isEmpty ? (
        <Empty description="还没有数据" />
      ) : (
        <Chart data={{ title, unit, kind: kinds[kind], series, whole: total }} />
      )}
    </section>
  )
}
