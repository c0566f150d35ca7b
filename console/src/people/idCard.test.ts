import { expect, it } from 'vitest'
import { checkDocument, normalise } from './idCard'

const TODAY = '2026-11-21'
const resident = (text: string) => checkDocument('resident_id', text, TODAY)

it('reads the worked number of the specification', () => {
  expect(resident('11010519491231002X')).toEqual({
    number: '11010519491231002X',
    birthday: '1949-12-31',
    gender: 'female',
  })
  expect(resident('110105194912310021')).toBe('身份证号校验位错误，应为X')
})

it('makes eighteen digits of fifteen', () => {
  expect(normalise('110105491231002')).toBe('11010519491231002X')
})

it('refuses a right check digit with a date before 1900', () => {
  expect(resident('440524188001010014')).toBe('身份证号中的出生日期无效')
})

it('accepts a residence permit of Hong Kong', () => {
  expect(resident('810000199003070015')).toMatchObject({ birthday: '1990-03-07', gender: 'male' })
})

it('says what is wrong in the words of the server', () => {
  expect(resident('1101051949123100')).toBe('身份证号长度应为18位')
  expect(resident('')).toBe('身份证号长度应为18位')
  expect(resident('11010519491231O02X')).toBe('身份证号只能是17位数字加1位数字或X')
  expect(resident('身份证号码是一一〇一〇五一九四九一二')).toBe('身份证号只能是17位数字加1位数字或X')
  expect(resident('66010519491231002X')).toBe('身份证号前两位不是有效的地区代码')
  expect(resident('110105194902310025')).toBe('身份证号中的出生日期无效')
  expect(resident('110105202702010025')).toBe('身份证号中的出生日期无效')
  const beside = (typed: object) => checkDocument('resident_id', '11010519491231002X', TODAY, typed)
  expect(beside({ gender: 'male' })).toBe('性别与身份证号不符')
  expect(beside({ gender: 'female', birthday: '1949-12-30' })).toBe('出生日期与身份证号不符')
  expect(beside({ gender: 'female', birthday: '1949-12-31' })).toMatchObject({ gender: 'female' })
})

it('folds what people type, but for blanks within', () => {
  expect(normalise('　１１０１０５１９４９１２３１００２ｘ ')).toBe('11010519491231002X')
  expect(resident('110105 19491231002X')).toBe('身份证号长度应为18位')
})

it('looks at each kind of document in its own way', () => {
  expect(checkDocument(undefined, '110105491231002', TODAY)).toMatchObject({ birthday: '1949-12-31' })
  expect(checkDocument('hmt_residence', '810000199003070015', TODAY)).toMatchObject({ gender: 'male' })
  expect(checkDocument('hmt_residence', '11010519491231002X', TODAY)).toBe('港澳台居民居住证号应以81、82或83开头')
  expect(checkDocument('passport', 'e１２３４５６７８ ', TODAY)).toBeUndefined()
  expect(checkDocument('passport', 'E12-34', TODAY)).toBe('证件号应为5至20位字母或数字')
  expect(checkDocument('passport', '110105491231002', TODAY)).toBeUndefined()
  expect(checkDocument('foreign_permanent', '110105194912310021', TODAY)).toBe('外国人永久居留身份证号应以9开头')
  expect(checkDocument('foreign_permanent', '911840199003070010', TODAY)).toMatch(/^身份证号校验位错误/)
  expect(checkDocument('foreign_permanent', 'USA1234567890', TODAY)).toBeUndefined()
})
