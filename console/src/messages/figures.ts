import type { ChartData, ChartPoint } from '@/kit/chartOption'
import { formatTime } from '@/kit/format'

interface OfHour {
  hour: string
  sent: number
  read: number
}

const HOUR_MS = 3600 * 1000

/** A line of more hours says nothing: it is drawn by days. */
const HOURS = 7 * 24

/**
 * What was sent and read in each hour, or on each day where it lasts longer: also when nothing was, for a line runs evenly. The server
 * tells of those hours alone in which something was.
 */
export const evenly = (told: readonly OfHour[]) => {
  const times = told.map(({ hour }) => new Date(hour).getTime())
  const first = Math.min(...times)
  const last = Math.max(...times)
  const byDays = (last - first) / HOUR_MS >= HOURS
  const nameOf = (time: number) => formatTime(new Date(time), byDays ? 'YYYY-MM-DD' : 'YYYY-MM-DD HH:mm')
  const parts = new Map<string, { sent: number; read: number }>()
  for (let time = first; time <= last; time += HOUR_MS) parts.set(nameOf(time), { sent: 0, read: 0 })
  for (const { hour, sent, read } of told) {
    const part = parts.get(nameOf(new Date(hour).getTime()))
    if (!part) continue
    part.sent += sent
    part.read += read
  }
  return { byDays, parts: [...parts].map(([name, part]) => ({ name, ...part })) }
}

/** 失败原因: the share of each. */
export const failuresChart = (points: readonly ChartPoint[]): ChartData => ({
  title: '失败原因',
  kind: 'pie',
  unit: '条',
  series: [{ name: '失败', points }],
})

/** 发送和阅读: a line each over the same times. */
export const timesChart = (parts: ReturnType<typeof evenly>['parts']): ChartData => ({
  title: '发送和阅读',
  kind: 'line',
  unit: '条',
  series: [
    { name: '发送', points: parts.map(({ name, sent }) => ({ name, value: sent })) },
    { name: '阅读', points: parts.map(({ name, read }) => ({ name, value: read })) },
  ],
})
