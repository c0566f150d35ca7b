import { expect, it } from 'vitest'
import { changedValues, isSame, type Setting, settingWords } from './settingWords'

const setting = (wish: Partial<Setting> & Pick<Setting, 'key' | 'type'>): Setting => ({
  name: wish.key,
  value: null,
  defaultValue: null,
  changed: false,
  readOnly: false,
  required: false,
  options: [],
  parts: [],
  ...wish,
})

const part = (key: string, name: string) => ({ key, name, type: 'int' as const, options: [] })

it('a value is told in words', () => {
  const weights = setting({ key: 'w', type: 'object', parts: [part('a', '考勤'), part('b', '表现')] })
  expect(settingWords(weights, { a: 40, b: 60 })).toBe('考勤40、表现60')
  expect(settingWords(setting({ key: 'b', type: 'bool' }), false)).toBe('否')
  expect(settingWords(setting({ key: 't', type: 'text' }), null)).toBe('未填')
  const options = [
    { code: 'x', desc: '甲' },
    { code: 'y', desc: '乙' },
  ]
  expect(settingWords(setting({ key: 's', type: 'select', options }), 'y')).toBe('乙')
  expect(settingWords(setting({ key: 'p', type: 'pairs', options }), [['x', 'y']])).toBe('甲→乙')
  expect(settingWords(setting({ key: 'c', type: 'choices', options }), ['x', 'y'])).toBe('全部2项')
  expect(settingWords(setting({ key: 'r', type: 'rows' }), [{}, {}])).toBe('2行')
})

it('the order of fields and empty ones make no difference', () => {
  expect(isSame({ a: 1, b: null }, { b: '', a: 1 })).toBe(true)
  expect(isSame('', null)).toBe(true)
  expect(isSame([1, 2], [2, 1])).toBe(false)
  expect(isSame(0, null)).toBe(false)
})

it('only changes are saved, and the default is saved as none', () => {
  const settings = [
    setting({ key: 'capacity', type: 'int', value: 45, defaultValue: 50, changed: true }),
    setting({ key: 'hours', type: 'int', value: 240, defaultValue: 240 }),
    setting({ key: 'title', type: 'text', value: '东湖' }),
    setting({ key: 'demo', type: 'bool', value: true, defaultValue: false, readOnly: true }),
  ]
  expect(changedValues(settings, { capacity: 50, hours: 240, title: ' ', demo: false })).toEqual({
    capacity: null,
    title: null,
  })
  expect(changedValues(settings, { capacity: 60, hours: 240, title: '东湖', demo: true })).toEqual({ capacity: 60 })
})
