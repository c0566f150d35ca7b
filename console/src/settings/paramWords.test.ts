import { expect, it } from 'vitest'
import type { RowOf } from '@/api/operation'
import type { listParams } from './api'
import { rangeOf, valueWords } from './paramWords'

const param: RowOf<typeof listParams> = {
  id: 1,
  paramCode: 'session.idleMinutes',
  paramName: '会话空闲时长',
  groupName: '会话',
  paramType: 'int',
  paramValue: '120',
  defaultValue: '120',
  minValue: 10,
  maxValue: 720,
  options: [],
  schoolOverridable: false,
  builtIn: true,
  fixed: false,
  changed: false,
  version: 1,
}

it('writes a parameter’s value and range in words', () => {
  expect([valueWords(param, '120'), rangeOf(param)]).toEqual(['120', '10～720'])
  expect(rangeOf({ ...param, minValue: 2, maxValue: 2 })).toBe('2')
  const yesNo = { ...param, paramType: 'bool', minValue: null, maxValue: null } as const
  expect([valueWords(yesNo, 'true'), valueWords(yesNo, 'false'), rangeOf(yesNo)]).toEqual(['是', '否', '是、否'])
  const choice = { ...yesNo, paramType: 'select', options: [{ code: 'a', desc: '甲' }] } as const
  expect([valueWords({ ...choice, options: [...choice.options] }, 'a')]).toEqual(['甲'])
})
