import { expect, it } from 'vitest'
import { minutesOf } from './minutes'

it('study is told in whole minutes', () => {
  expect([minutesOf(59), minutesOf(725)]).toEqual(['0分钟', '12分钟'])
})
