import { expect, it } from 'vitest'
import { checkDocument, checkIdCard, normalise } from './idCard'

const TODAY = '2026-11-21'

it('reads the worked number of the specification', () => {
  expect(checkIdCard('11010519491231002X', TODAY)).toEqual({
    number: '11010519491231002X',
    birthday: '1949-12-31',
    gender: 'female',
  })
  expect(checkIdCard('110105194912310021', TODAY)).toBe('身份证号校验位错误，应为X')
})

it('makes eighteen digits of fifteen', () => {
  expect(normalise('110105491231002')).toBe('11010519491231002X')
})

it('refuses a right check digit with a date before 1900', () => {
  expect(checkIdCard('440524188001010014', TODAY)).toBe('身份证号中的出生日期无效')
})

it('accepts a residence permit of Hong Kong', () => {
  expect(checkIdCard('810000199003070015', TODAY)).toMatchObject({ birthday: '1990-03-07', gender: 'male' })
})

it('tells a wrong length, and days that do not exist or have not come', () => {
  expect(checkIdCard('1101051949123100', TODAY)).toBe('身份证号长度应为18位')
  expect(checkIdCard('110105194902310025', TODAY)).toBe('身份证号中的出生日期无效')
  expect(checkIdCard('110105202702010025', TODAY)).toBe('身份证号中的出生日期无效')
})

it('folds what people type', () => {
  expect(normalise(' １１０１０５ 19491231002x ')).toBe('11010519491231002X')
})

it('looks at each kind of document in its own way', () => {
  expect(checkDocument('resident_id', '110105491231002', TODAY)).toMatchObject({ birthday: '1949-12-31' })
  expect(checkDocument('hmt_residence', '810000199003070015', TODAY)).toMatchObject({ gender: 'male' })
  expect(checkDocument('hmt_residence', '11010519491231002X', TODAY)).toBe('港澳台居民居住证号应以81、82或83开头')
  expect(checkDocument('passport', 'e12345678', TODAY)).toBeUndefined()
  expect(checkDocument('passport', 'E12-34', TODAY)).toBe('证件号应为5至20位字母或数字')
  expect(checkDocument('foreign_permanent', '110105194912310021', TODAY)).toBe('外国人永久居留身份证号应以9开头')
  expect(checkDocument('foreign_permanent', 'USA1234567890', TODAY)).toBeUndefined()
})
