/** How times and numbers are written. The server's zone is the product's: +08:00. */

const pad = (value: number) => String(value).padStart(2, '0')

/** Ten digits are seconds, thirteen milliseconds; anything else is read as a date text. */
const instant = (value: number | string | Date) => {
  if (value instanceof Date) return value
  const text = String(value)
  if (/^\d{10}$/.test(text)) return new Date(Number(text) * 1000)
  if (/^\d+$/.test(text)) return new Date(Number(text))
  return new Date(text)
}

const ZONE_MS = 8 * 3600 * 1000

/** `YYYY-MM-DD HH:mm:ss` unless `pattern` says otherwise; empty for no time. */
export const formatTime = (value: number | string | Date | null | undefined, pattern = 'YYYY-MM-DD HH:mm:ss') => {
  if (value === null || value === undefined || value === '') return ''
  const at = instant(value)
  if (Number.isNaN(at.getTime())) return ''
  const china = new Date(at.getTime() + ZONE_MS)
  const parts: Record<string, string> = {
    YYYY: String(china.getUTCFullYear()),
    MM: pad(china.getUTCMonth() + 1),
    DD: pad(china.getUTCDate()),
    HH: pad(china.getUTCHours()),
    mm: pad(china.getUTCMinutes()),
    ss: pad(china.getUTCSeconds()),
  }
  return pattern.replace(/YYYY|MM|DD|HH|mm|ss/g, (part) => parts[part] ?? part)
}

const numbers = new Intl.NumberFormat('zh-CN')
export const formatNumber = (value: number | null | undefined) =>
  value === null || value === undefined ? '' : numbers.format(value)

/** Credits, scores and other tenths as people write them: 92.0. */
export const formatTenths = (value: number) => value.toFixed(1)

/** A score as a transcript writes it: 86, 59.5; a dash where there is none. */
export const points = (value: number | null | undefined) => (value == null ? '—' : String(Math.round(value * 10) / 10))

/**
 * A rate as people write it: 87.9%, 50.0%; a dash where there is none. It has one place always, as the server rounds rates.
 * What was typed whole stays whole (80%), and so does the likeness of questions; a lecturer's part and a provider's fee have
 * up to two places (`rateOf`).
 */
export const formatPercent = (rate: number | null | undefined) => (rate == null ? '—' : `${formatTenths(rate)}%`)

export const formatBytes = (bytes: number | null | undefined) => {
  if (bytes === null || bytes === undefined) return ''
  const units = ['B', 'KB', 'MB', 'GB', 'TB']
  const step = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10))
  return `${formatNumber(Number((bytes / 1024 ** step).toFixed(step < 2 ? 0 : 1)))} ${units[step]}`
}

const MINUTE = 60
const HOUR = 60 * MINUTE

/** How long something took, from whole seconds: 1小时2分, 3分5秒, 8秒. */
export const formatSpan = (seconds: number) => {
  if (seconds >= HOUR) return `${Math.floor(seconds / HOUR)}小时${Math.floor((seconds % HOUR) / MINUTE)}分`
  return seconds >= MINUTE ? `${Math.floor(seconds / MINUTE)}分${seconds % MINUTE}秒` : `${seconds}秒`
}

/** A moment as people type it, 2026-03-01 8:30 or the day alone, which means `time` of it; none when there is no such moment. */
export const typedMoment = (text: string, time: string) => {
  const [, date = '', hour, minute, second = '00'] =
    /^(\S+?)(?:[ T](\d{1,2}):(\d{2})(?::(\d{2}))?)?$/.exec(text.trim()) ?? []
  const day = typedDate(date)
  if (!day) return undefined
  if (hour === undefined || minute === undefined) return `${day} ${time}`
  const isTime = Number(hour) < 24 && Number(minute) < 60 && Number(second) < 60
  return isTime ? `${day} ${hour.padStart(2, '0')}:${minute}:${second}` : undefined
}

/** A day as people type it, 2026-03-01 or 20260301, as it is sent; none when there is no such day. */
export const typedDate = (text: string) => {
  const [, year, month, day] = /^(\d{4})-?(\d{2})-?(\d{2})$/.exec(text.trim()) ?? []
  const written = `${year}-${month}-${day}`
  const at = new Date(`${written}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(written) ? written : undefined
}
