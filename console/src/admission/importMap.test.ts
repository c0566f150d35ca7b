import { expect, it } from 'vitest'
import type { EnrollmentColumn } from '@/api/types/shared'
import {
  byField,
  codesRefusal,
  columnsToBegin,
  isInspected,
  type MetCode,
  meaningOf,
  samplesOf,
  sentMeanings,
  writtenWords,
} from './importMap'

const found = {
  columns: ['KSH', 'XM', 'CC', 'CCDM'],
  sample: [
    ['0501', '甲', '专升本', '5'],
    ['0502', '乙', '', '5'],
    ['0503', '丙', '', '6'],
  ],
  proposedMap: [
    { field: 'examinee_no', column: 'KSH' },
    { field: 'name', column: 'XM' },
    { field: 'level', column: 'CCDM' },
  ] satisfies EnrollmentColumn[],
}

it('begins with what is proposed, and keeps what was chosen for the file before', () => {
  expect(columnsToBegin(found)).toEqual(found.proposedMap)
  const chosen = columnsToBegin(found, [
    { field: 'level', column: 'cc' },
    { field: 'phone', column: 'LXDH' },
  ])
  expect(chosen).toContainEqual({ field: 'level', column: 'CC' })
  expect(chosen).toContainEqual({ field: 'name', column: 'XM' })
  expect(chosen.filter(({ field }) => field === 'level')).toHaveLength(1)
  expect(chosen.some(({ field }) => field === 'phone')).toBe(false)
  // A column that was given to another field is proposed for none.
  const taken = columnsToBegin(found, [{ field: 'site', column: 'CCDM' }])
  expect(taken.some(({ field }) => field === 'level')).toBe(false)
})

it('asks for the codes anew when they are those of other columns', () => {
  expect(isInspected(found, [...found.proposedMap].reverse())).toBe(true)
  expect(isInspected(found, columnsToBegin(found, [{ field: 'level', column: 'CC' }]))).toBe(false)
})

it('shows what stands in a column', () => {
  expect(samplesOf(found, 'ccdm')).toEqual(['5', '6'])
  expect(samplesOf(found, 'CC')).toEqual(['专升本'])
  expect(samplesOf(found, 'ZF')).toEqual([])
  expect(samplesOf(found, undefined)).toEqual([])
})

const met: readonly MetCode[] = [
  { field: 'level', code: '5', count: 2, value: '11' },
  { field: 'level', code: '6', count: 1 },
  { field: 'gender', code: '男', count: 1 },
  { field: 'gender', code: '1', count: 2 },
  { field: 'ethnicity', code: '99', count: 1 },
]
const nameOf = (field: string) => ({ level: '层次', gender: '性别' })[field] ?? field

it('assumes nothing of a level, and lets the rest go', () => {
  expect(codesRefusal(met, new Map(), nameOf)).toBe('请选择层次代码“6”、性别代码“1”的对应值')
  const said = new Map([
    ['level 6', '12'],
    ['gender 1', 'male'],
  ])
  expect(codesRefusal(met, said, nameOf)).toBeUndefined()
  expect(sentMeanings(met, said)).toEqual([
    { field: 'level', code: '5', value: '11' },
    { field: 'level', code: '6', value: '12' },
    { field: 'gender', code: '1', value: 'male' },
  ])
  // What is said goes before what the batch knows.
  expect(meaningOf({ field: 'level', code: '5', count: 2, value: '11' }, new Map([['level 5', '13']]))).toBe('13')
})

it('groups codes by their field, in their order', () => {
  expect(byField(met).map(([field, codes]) => [field, codes.length])).toEqual([
    ['level', 2],
    ['gender', 2],
    ['ethnicity', 1],
  ])
})

it('says what an import wrote', () => {
  expect(writtenWords({ inserted: 10, updated: 0, unchanged: 9990 })).toBe('新增10人，修改0人，未变9,990人')
  expect(writtenWords({})).toBe('')
})
