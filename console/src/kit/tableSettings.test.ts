// @vitest-environment happy-dom
import { expect, it } from 'vitest'
import type { Column } from './columns'
import { arranged, movedTo, stacked } from './tableSettings'

const column = (key: string, own: Partial<Column<unknown>> = {}): Column<unknown> => ({
  key,
  title: key,
  width: 100,
  align: 'left',
  hidden: false,
  render: () => key,
  ...own,
})
const columns = [column('name', { fixed: 'left' }), column('status'), column('major'), column('phone')]
const keys = (...settings: Parameters<typeof arranged>) => arranged(...settings).map(({ key }) => key)

it('puts columns into the order of a person, what is pinned first', () => {
  const usual = { hidden: [], density: 'middle' as const }
  expect(keys(columns, usual)).toEqual(['name', 'status', 'major', 'phone'])
  expect(keys(columns, { ...usual, order: ['phone', 'name', 'major', 'status'] })).toEqual([
    'name',
    'phone',
    'major',
    'status',
  ])
  expect(keys(columns, { ...usual, pinned: ['phone'] })).toEqual(['name', 'phone', 'status', 'major'])
  expect(keys(columns, { ...usual, hidden: ['name', 'major'] })).toEqual(['name', 'status', 'phone'])
})

it('moves a column to the place of another one', () => {
  const order = ['name', 'status', 'major', 'phone']
  expect(movedTo(order, 'phone', 1)).toEqual(['name', 'phone', 'status', 'major'])
  expect(movedTo(order, 'name', 2)).toEqual(['status', 'major', 'name', 'phone'])
  expect(movedTo(order, 'name', -1)).toEqual(order)
  expect(movedTo(order, 'phone', 9)).toEqual(order)
})

it('puts a column that came later beside its neighbour on the screen', () => {
  const order = ['phone', 'major', 'name']
  expect(keys(columns, { hidden: [], density: 'middle', order })).toEqual(['name', 'phone', 'major', 'status'])
})

it('draws a column as wide as the person wants it', () => {
  const [, status] = arranged(columns, { hidden: [], density: 'middle', widths: { status: 240 } })
  expect(status?.width).toBe(240)
})

it('puts a number beneath its name, as long as the name is there and nobody pinned the number', () => {
  const name = column('name', { fixed: 'left' })
  const number = column('number', { under: 'name' })
  const drawn = (...columns: Column<unknown>[]) => stacked(columns).map(({ key, beneath }) => [key, beneath?.key])
  expect(drawn(name, column('status'), number)).toEqual([
    ['name', 'number'],
    ['status', undefined],
  ])
  expect(drawn(column('status'), number)).toEqual([
    ['status', undefined],
    ['number', undefined],
  ])
  expect(drawn(name, { ...number, fixed: 'left' })).toEqual([
    ['name', undefined],
    ['number', undefined],
  ])
})
