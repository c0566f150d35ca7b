// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { grouped } from './importRun'

test('the same mistake is told once, the most frequent first', () => {
  const rows = [
    ['2', '手机', '格式不正确'],
    ['2', '年级', '“2031级”不存在'],
    ['3', '年级', '“2032级”不存在'],
  ]
  expect(grouped(rows)).toEqual([
    { column: '年级', reason: '“2031级”不存在', rows: ['2', '3'] },
    { column: '手机', reason: '格式不正确', rows: ['2'] },
  ])
})
