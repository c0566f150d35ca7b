import { expect, it } from 'vitest'
import type { EnrollmentField } from '@/api/types/shared'
import {
  columnsRefusal,
  fields,
  sentColumns,
  sentValues,
  sources,
  usualColumns,
  valuesRefusal,
  withColumn,
} from './mappingFields'

const nameOf = (field: EnrollmentField) => `<${field}>`

it('knows the columns that a person is known by (02 §14.1)', () => {
  expect(fields).toHaveLength(25)
  expect(fields.filter((field) => sources[field].required)).toEqual([
    'examinee_no',
    'name',
    'gender',
    'birthday',
    'id_card_no',
    'authority_code',
    'level',
  ])
  expect(columnsRefusal(usualColumns(), nameOf)).toBeUndefined()
})

it('sets, empties and restores a column in the order of the file', () => {
  const renamed = withColumn(usualColumns(), 'name', 'KSXM')
  expect(renamed.slice(1, 4)).toEqual([
    { field: 'ticket_no', column: 'ZKZH' },
    { field: 'name', column: 'KSXM' },
    { field: 'gender', column: 'XBDM' },
  ])
  const emptied = withColumn(renamed, 'name', '')
  expect(emptied).toHaveLength(24)
  expect(columnsRefusal(emptied, nameOf)).toBe('请填写<name>的来源列')
  expect(withColumn(emptied, 'name', 'XM')).toEqual(usualColumns())
})

it('takes each column of the file once', () => {
  expect(columnsRefusal(withColumn(usualColumns(), 'ticket_no', 'ksh '), nameOf)).toBe('来源列“ksh”只能使用一次')
  expect(sentColumns(withColumn(usualColumns(), 'ticket_no', ' '))).toHaveLength(24)
})

it('takes a code once, and with its value', () => {
  expect(valuesRefusal([{ field: 'level', code: '1' }], nameOf)).toBe('请填写<level>的代码和对应值，或移除空行')
  const twice = [
    { field: 'level', code: 'a', value: '3' },
    { field: 'gender', code: 'A', value: 'male' },
    { field: 'level', code: ' A', value: '4' },
  ] as const
  expect(valuesRefusal(twice, nameOf)).toBe('“<level>”的代码“A”只能对应一个值')
  expect(valuesRefusal(twice.slice(0, 2), nameOf)).toBeUndefined()
  expect(sentValues(twice)[2]).toEqual({ field: 'level', code: 'A', value: '4' })
})
