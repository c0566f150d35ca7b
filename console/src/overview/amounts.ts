import { formatNumber } from '@/kit/format'

const FEN = '分'
const YUAN = '元'
const CENTS = 100
const yuan = new Intl.NumberFormat('zh-CN', { minimumFractionDigits: 2, maximumFractionDigits: 2 })

/** Amounts come in 分, as everywhere on the wire; people read yuan. */
export const unitShown = (unit: string) => (unit === FEN ? YUAN : unit)

/** A figure as people read it: 1,203; of an amount 149.15. */
export const figureShown = (value: number, unit: string) =>
  unit === FEN ? yuan.format(value / CENTS) : formatNumber(value)

interface Drawn {
  unit: string
  series: readonly { points: readonly { value: number }[] }[]
  total?: number | null
}

/** A chart with its amounts in yuan. */
export const chartShown = <Told extends Drawn>(chart: Told): Told =>
  chart.unit === FEN
    ? {
        ...chart,
        unit: YUAN,
        series: chart.series.map((each) => ({
          ...each,
          points: each.points.map((point) => ({ ...point, value: point.value / CENTS })),
        })),
        total: chart.total == null ? chart.total : chart.total / CENTS,
      }
    : chart
