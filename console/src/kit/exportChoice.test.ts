import { expect, test } from 'vitest'
import { ALL, headingsOf, OWN, SHOWN } from './exportChoice'

const sheet = ['学号', '姓名', '证件号', '手机']
const sets = [{ name: '保险', columns: ['证件号', '姓名'] }]
const of = (set: string, columns: string[] = []) => headingsOf({ set, columns }, sheet, ['姓名', '照片', '学号'], sets)

test('what is shown keeps its order, and what the sheet does not have is left out', () => {
  expect(of(SHOWN)).toEqual(['姓名', '学号'])
})

test('all, a purpose and one’s own stand in the order of the sheet', () => {
  expect(of(ALL)).toEqual(sheet)
  expect(of('保险')).toEqual(['姓名', '证件号'])
  expect(of(OWN, ['手机', '学号'])).toEqual(['学号', '手机'])
  expect(of('没有了')).toEqual([])
})
