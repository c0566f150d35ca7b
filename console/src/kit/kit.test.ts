// @vitest-environment happy-dom
import { expect, it } from 'vitest'
import type { OperationMeta } from '@/api/operation'
import { byState, type RowAction } from './actions'
import { leastWidth, show } from './columns'
import { csvOf, errorRows } from './csv'
import {
  formatBytes,
  formatNumber,
  formatPercent,
  formatSpan,
  formatTenths,
  formatTime,
  points,
  typedDate,
  typedMoment,
} from './format'
import { percentOf } from './JobProgress'
import { pictureRefusal } from './picture'
import { textRefusal, tidied } from './rules'
import { bodyOf, partsOf } from './useQueryTable'

it('writes times from texts, seconds and milliseconds, in the zone of the product', () => {
  expect(formatTime('2026-11-21T10:00:00+08:00')).toBe('2026-11-21 10:00:00')
  expect(formatTime('2026-11-21T02:00:00Z', 'YYYY-MM-DD HH:mm')).toBe('2026-11-21 10:00')
  expect(formatTime(1795204800)).toBe(formatTime(1795204800000))
  expect(formatTime('1795204800')).toBe(formatTime(1795204800))
  for (const nothing of [null, undefined, '', 'soon']) expect(formatTime(nothing)).toBe('')
})

it('gives a column at least the room of its heading and of the words in its tags', () => {
  expect(leastWidth('状态', 0, ['已列入', '站点已初审'])).toBe(104)
  expect(leastWidth('加权平均分', 1, [])).toBe(114)
  expect(leastWidth('GPA', 0, [])).toBe(50)
})

it('begins with what may be done now, and ends with what may not', () => {
  const operation: OperationMeta = {
    id: 'stepX',
    method: 'PUT',
    path: '/x/step',
    title: '',
    permission: 'x:step',
    area: 'both',
    writes: true,
    fields: {},
    columns: {},
  }
  const of = (label: string, more: Pick<RowAction, 'disabled' | 'danger'> = {}): RowAction => ({
    label,
    do: operation,
    onClick: () => undefined,
    ...more,
  })
  const actions = [of('提交', { disabled: '没有考生' }), of('取消', { danger: true }), of('编辑'), of('考生')]
  expect(byState(actions).map(({ label }) => label)).toEqual(['编辑', '考生', '取消', '提交'])
})

it('tells how far a job is, and how long it took', () => {
  expect(percentOf({ done: 1, total: 3 })).toBe(33)
  expect(percentOf({ done: 5, total: 3 })).toBe(100)
  expect(percentOf({ done: 5, total: 0 })).toBeUndefined()
  expect([8, 65, 3600, 3725].map(formatSpan)).toEqual(['8秒', '1分5秒', '1小时0分', '1小时2分'])
})

it('writes numbers and sizes', () => {
  expect(formatNumber(1234567)).toBe('1,234,567')
  expect(formatTenths(92)).toBe('92.0')
  expect([points(86), points(59.5), points(0), points(null)]).toEqual(['86', '59.5', '0', '—'])
  expect(formatBytes(1536 * 1024 * 1024)).toBe('1.5 GB')
  expect(formatNumber(null)).toBe('')
})

it('writes rates to one place, and a dash where there is none', () => {
  expect([87.9, 50, 100, 0, 66.67].map(formatPercent)).toEqual(['87.9%', '50.0%', '100.0%', '0.0%', '66.7%'])
  for (const nothing of [null, undefined]) expect(formatPercent(nothing)).toBe('—')
})

it('reads the list’s body from the address, typed as the document says', () => {
  const operation: OperationMeta = {
    id: 'listX',
    method: 'POST',
    path: '/x/list',
    title: '',
    permission: 'public',
    area: 'both',
    writes: false,
    columns: {},
    fields: {
      pageCurrent: { label: '', kind: 'integer' },
      keyword: { label: '', kind: 'text' },
      enabled: { label: '', kind: 'boolean' },
      gradeId: { label: '', kind: 'integer' },
      kinds: { label: '', kind: 'list' },
    },
  }
  const search = new URLSearchParams('pageCurrent=3&keyword=张&enabled=false&gradeId=7&kinds=a,b&evil=1')
  expect(bodyOf(operation, search)).toEqual({
    pageCurrent: 3,
    pageSize: 20,
    keyword: '张',
    enabled: false,
    gradeId: 7,
    kinds: ['a', 'b'],
  })
  expect(bodyOf(operation, new URLSearchParams())).toEqual({ pageCurrent: 1, pageSize: 20 })
})

it('knows a row by its number, and over many schools by its school too', () => {
  expect(partsOf('7')).toEqual({ school: '', id: 7 })
  expect(partsOf('2-7')).toEqual({ school: '2', id: 7 })
  expect(partsOf('-7')).toEqual({ school: '', id: -7 })
  expect(partsOf('2--7')).toEqual({ school: '2', id: -7 })
})

it('refuses pictures in the customer’s words', () => {
  const size = 2 * 1024 * 1024
  expect(pictureRefusal({ type: 'image/png', size: size - 1 })).toBeUndefined()
  expect(pictureRefusal({ type: 'image/png', size })).toBe('上传图片大小不能超过 2MB!')
  expect(pictureRefusal({ type: 'image/webp', size: 1 })).toBe('不支持上传该文件格式')
  expect(pictureRefusal({ type: 'image/x-icon', size: 1 })).toBeUndefined()
})

it('checks texts as the document says', () => {
  const meta = {
    label: '代码',
    kind: 'text',
    minLength: 2,
    maxLength: 4,
    pattern: '^[a-z]+$',
    help: '只用小写字母',
  } as const
  expect(textRefusal(meta, '代码', '')).toBeUndefined()
  expect(textRefusal(meta, '代码', 'a')).toBe('代码至少2个字符')
  expect(textRefusal(meta, '代码', 'abcde')).toBe('代码最多4个字符')
  expect(textRefusal(meta, '代码', 'ABC')).toBe('只用小写字母')
  expect(textRefusal({ label: '', kind: 'text', maxLength: 2 }, '姓名', '𠮷野')).toBeUndefined()
  expect(tidied({ name: ' 城东 ', remark: '  ', count: 0 })).toEqual({ name: '城东', remark: null, count: 0 })
})

it('makes a table that spreadsheets open without running it', async () => {
  expect(await csvOf(['行', '原因'], [[7, '=cmd()']]).text()).toContain(`"7","'=cmd()"`)
  expect(await csvOf(['原因'], [['\t=cmd()']]).text()).toContain(`"'\t=cmd()"`)
  expect(errorRows([{ row: 7, column: '账号', message: '已存在' }, { id: 1, name: '张三', msg: '已毕业' }, 3])).toEqual(
    [
      ['7', '账号', '已存在'],
      ['', '张三', '已毕业'],
    ],
  )
  expect(errorRows(null)).toEqual([])
})

it('writes years without parting thousands, other numbers with', () => {
  const integer = { label: '', kind: 'integer' } as const
  const columns = { entryYear: integer, year: integer, tuitionPerYear: integer, studentCount: integer }
  const list: OperationMeta = {
    id: 'listX',
    method: 'POST',
    path: '/x/list',
    title: '',
    permission: 'x:list',
    area: 'both',
    writes: false,
    fields: {},
    columns,
  }
  const shown = (field: keyof typeof columns) => show(list, field, 2026, undefined)
  expect([shown('entryYear'), shown('year')]).toEqual(['2026', '2026'])
  expect([shown('tuitionPerYear'), shown('studentCount')]).toEqual(['2,026', '2,026'])
})

it('reads a moment as it is typed, and a day alone as its first or last second', () => {
  expect(typedMoment('2026-03-01', '23:59:59')).toBe('2026-03-01 23:59:59')
  expect(typedMoment('20260301 8:30', '00:00:00')).toBe('2026-03-01 08:30:00')
  expect(typedMoment('2026-03-01T18:05:09', '00:00:00')).toBe('2026-03-01 18:05:09')
  for (const wrong of ['', '2026-02-29', '2026-03-01 24:00', '2026-03-01 08:61', '明天 8:30'])
    expect(typedMoment(wrong, '00:00:00'), wrong).toBeUndefined()
})

it('reads a day as it is typed', () => {
  expect(['2026-03-01', '20260301', ' 2024-02-29 '].map(typedDate)).toEqual(['2026-03-01', '2026-03-01', '2024-02-29'])
  for (const wrong of ['', '2026-02-29', '2026-13-01', '2026-3-1', '明天'])
    expect(typedDate(wrong), wrong).toBeUndefined()
})
