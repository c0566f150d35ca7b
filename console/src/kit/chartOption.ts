import type { EChartsCoreOption } from 'echarts/core'
import { formatNumber, formatPercent } from './format'

/** What is drawn of figures. Pure: `Chart` asks for it and gives it the colours of the theme. */

export interface ChartPoint {
  name: string
  value: number
  /** The list of those who are counted. */
  link?: string | null
}

export interface ChartSeries {
  name: string
  points: readonly ChartPoint[]
}

export interface ChartData {
  title: string
  /** Lines over days; bars, the largest first; one bar of shares; a pie of shares. */
  kind: 'line' | 'bar' | 'share' | 'pie'
  /** Bars of several series stand behind each other instead of beside. */
  stacked?: boolean
  unit: string
  series: readonly ChartSeries[]
  /** Shares are of this, which may be more than what is listed. */
  whole?: number | null
}

export interface ChartColours {
  palette: readonly string[]
  ink: string
  faint: string
  line: string
  ground: string
}

const SIZE = 12
const BAR_PX = 14
const WORDS_PX = 150
const REST = '其他'

const sum = (points: readonly ChartPoint[]) => points.reduce((total, { value }) => total + value, 0)

/** Whether parts of a whole are drawn. */
export const isOfShares = ({ kind }: Pick<ChartData, 'kind'>) => kind === 'share' || kind === 'pie'

/** The points of shares, with what is not listed as its last. */
export const sharesOf = ({ series, whole }: Pick<ChartData, 'series' | 'whole'>): ChartPoint[] => {
  const points = series.flatMap((each) => each.points)
  const rest = (whole ?? 0) - sum(points)
  return rest > 0 ? [...points, { name: REST, value: rest }] : points
}

/** 8.1%: of the whole, not of what is listed. */
export const shareOf = (value: number, whole: number) => formatPercent(whole > 0 ? (value * 100) / whole : null)

/** People are counted by ones: no axis of theirs has halves. */
const countAxis = (colours: ChartColours) => ({
  type: 'value',
  minInterval: 1,
  axisLabel: { color: colours.faint, fontSize: SIZE, formatter: (value: number) => formatNumber(value) },
  splitLine: { lineStyle: { color: colours.line } },
})

const nameAxis = (names: readonly string[], colours: ChartColours) => ({
  type: 'category',
  data: [...names],
  axisLabel: { color: colours.ink, fontSize: SIZE },
  axisLine: { lineStyle: { color: colours.line } },
  axisTick: { show: false },
})

const common = ({ unit }: ChartData, colours: ChartColours) => ({
  color: [...colours.palette],
  textStyle: { fontSize: SIZE, color: colours.ink },
  animationDuration: 300,
  tooltip: {
    backgroundColor: colours.ground,
    borderColor: colours.line,
    textStyle: { color: colours.ink, fontSize: SIZE },
    valueFormatter: (value: unknown) => `${formatNumber(Number(value))}${unit}`,
  },
})

const DAY = /^\d{4}-\d{2}-\d{2}/

/** A day goes without its year; any other name is what it is. */
const short = (name: string) => (DAY.test(name) ? name.slice(5) : name)

/** Whether the names of a line are days. */
export const isOfDays = ({ series }: Pick<ChartData, 'series'>) =>
  series.every(({ points }) => points.every(({ name }) => DAY.test(name)))

/** The names along a chart: of several series each name once, as some may lack a point. */
export const namesOf = ({ series }: Pick<ChartData, 'series'>) => {
  const names = series.flatMap(({ points }) => points.map(({ name }) => name))
  return series.length > 1 ? [...new Set(names)] : names
}

/** The value of a series at a name of the chart; none where the series has no such point. */
export const valueAt = ({ points }: ChartSeries, name: string, at: number) =>
  (points[at]?.name === name ? points[at] : points.find((point) => point.name === name))?.value

const lines = (data: ChartData, colours: ChartColours) => {
  const base = common(data, colours)
  const names = namesOf(data)
  const days = names.map(short)
  return {
    ...base,
    tooltip: { ...base.tooltip, trigger: 'axis' },
    legend: data.series.length > 1 ? { bottom: 0, textStyle: { color: colours.ink, fontSize: SIZE } } : undefined,
    grid: { left: 8, right: 16, top: 16, bottom: data.series.length > 1 ? 32 : 8, containLabel: true },
    xAxis: { ...nameAxis(days, colours), boundaryGap: false },
    yAxis: countAxis(colours),
    series: data.series.map((each, at) => ({
      type: 'line',
      name: each.name,
      data: names.map((name, place) => valueAt(each, name, place) ?? null),
      // A single point draws no line.
      showSymbol: each.points.length === 1,
      smooth: false,
      // Told apart by their dashes too, not by colour alone.
      lineStyle: { width: 2, type: at === 0 ? 'solid' : [4 + at * 2, 3] },
      areaStyle: at === 0 ? { opacity: 0.08 } : undefined,
    })),
  }
}

const bars = (data: ChartData, colours: ChartColours) => {
  const base = common(data, colours)
  const names = namesOf(data)
  const several = data.series.length > 1
  return {
    ...base,
    tooltip: { ...base.tooltip, trigger: 'item' },
    legend: several ? { bottom: 0, textStyle: { color: colours.ink, fontSize: SIZE } } : undefined,
    grid: { left: 8, right: 48, top: 8, bottom: several ? 32 : 8, containLabel: true },
    xAxis: { ...countAxis(colours), axisLabel: { show: false }, splitLine: { show: false } },
    yAxis: {
      ...nameAxis(names, colours),
      inverse: true,
      axisLabel: { color: colours.ink, fontSize: SIZE, width: WORDS_PX, overflow: 'truncate' },
      axisLine: { show: false },
    },
    series: data.series.map((each) => ({
      type: 'bar',
      name: each.name,
      stack: data.stacked ? 'whole' : undefined,
      data: names.map((name, at) => valueAt(each, name, at) ?? null),
      barWidth: several && !data.stacked ? undefined : BAR_PX,
      cursor: 'pointer',
      itemStyle: { borderRadius: data.stacked ? 0 : [0, 3, 3, 0] },
      label: {
        show: !data.stacked,
        position: 'right',
        color: colours.ink,
        fontSize: SIZE,
        formatter: ({ value }: { value: number }) => formatNumber(value),
      },
    })),
  }
}

/** What a bar of shares and a pie have in common. */
const partsOf = (data: ChartData, colours: ChartColours) => {
  const base = common(data, colours)
  const points = sharesOf(data)
  const whole = data.whole ?? sum(points)
  const valueFormatter = (value: unknown) =>
    `${formatNumber(Number(value))}${data.unit}，${shareOf(Number(value), whole)}`
  const parts = points.map(({ name, value }, at) => ({
    name,
    value,
    itemStyle: {
      color: name === REST ? colours.line : colours.palette[at % colours.palette.length],
      borderColor: colours.ground,
      borderWidth: 1,
    },
  }))
  return { base: { ...base, tooltip: { ...base.tooltip, trigger: 'item', valueFormatter } }, parts, whole }
}

const shares = (data: ChartData, colours: ChartColours) => {
  const { base, parts, whole } = partsOf(data, colours)
  return {
    ...base,
    grid: { left: 0, right: 0, top: 4, bottom: 4 },
    xAxis: { type: 'value', max: Math.max(1, whole), show: false },
    yAxis: { type: 'category', data: [data.title], show: false },
    series: parts.map(({ name, value, itemStyle }) => ({
      type: 'bar',
      stack: 'whole',
      name,
      data: [value],
      barWidth: BAR_PX * 2,
      cursor: 'pointer',
      itemStyle,
    })),
  }
}

/** The words of its parts stand in the table beside it. */
const pie = (data: ChartData, colours: ChartColours) => {
  const { base, parts } = partsOf(data, colours)
  return {
    ...base,
    series: [{ type: 'pie', name: data.series[0]?.name, radius: '92%', label: { show: false }, data: parts }],
  }
}

const drawings = { line: lines, bar: bars, share: shares, pie } as const

export const optionOf = (data: ChartData, colours: ChartColours): EChartsCoreOption =>
  drawings[data.kind](data, colours)

/** The point that was pressed. */
export const pointAt = (data: ChartData, pressed: { seriesIndex?: number; dataIndex?: number }) => {
  const { seriesIndex = 0, dataIndex = 0 } = pressed
  if (isOfShares(data)) return sharesOf(data)[data.kind === 'pie' ? dataIndex : seriesIndex]
  return data.series[seriesIndex]?.points[dataIndex]
}
