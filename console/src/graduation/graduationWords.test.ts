import { expect, it } from 'vitest'
import { acceptedIn, can, groundOf, paramsOf, ruleCodes } from './graduationWords'

it('confirms a batch when everybody is decided', () => {
  expect(can.confirm({ status: 'auditing', total: 80, decided: 79 })).toBe('还有1名学生未终审')
  expect(can.confirm({ status: 'auditing', total: 80, decided: 80 })).toBeUndefined()
  expect(can.confirm({ status: 'confirmed', total: 80, decided: 80 })).toBe('审核中的批次才能确认')
})

it('edits a batch until it is archived', () => {
  expect(can.edit({ status: 'registered' })).toBeUndefined()
  expect(can.edit({ status: 'archived' })).toBe('毕业批次已归档，不能修改')
})

it('edits a punishment that is in effect, and keeps one that a violation made', () => {
  expect(can.amend({ status: 'effective' })).toBeUndefined()
  expect(can.amend({ status: 'released' })).toBe('只有生效中的可以编辑')
  expect(can.removeDiscipline({ violationId: null })).toBeUndefined()
  expect(can.removeDiscipline({ violationId: 7 })).toBe('由考试违规引起，不能删除，可以解除')
})

it('knows what a condition asks for', () => {
  expect(paramsOf('degree', 'degree_courses').map(({ name }) => name)).toEqual(['eachLeast', 'meanLeast'])
  expect(paramsOf('graduation', 'thesis')).toEqual([])
  expect(ruleCodes.graduation).toHaveLength(13)
})

it('reads what languages are accepted', () => {
  const stored = { accepted: [{ type: 'cet4', least: 425 }, { type: 'pets3' }, 7] }
  expect(acceptedIn(stored)).toEqual([
    { type: 'cet4', least: 425 },
    { type: 'pets3', least: null },
  ])
  expect(acceptedIn(undefined)).toEqual([])
})

it('leads to what a condition looks at', () => {
  expect(groundOf('compulsory')).toEqual({ at: 'scores', label: '查看成绩' })
  expect(groundOf('integrity')?.at).toBe('discipline')
  expect(groundOf('foreign_language')?.at).toBe('external')
  expect(groundOf('photo')).toBeUndefined()
  const known = [...ruleCodes.graduation, ...ruleCodes.degree].map(([code]) => code)
  expect(known.filter((code) => groundOf(code)?.at === 'scores')).toHaveLength(10)
})

it('takes back what changed something, and numbers a degree again whose certificate was void', () => {
  expect(can.revoke({ status: 'confirmed', decision: 'graduate' })).toBeUndefined()
  expect(can.revoke({ status: 'confirmed', decision: 'delay' })).toBe('延期没有改变学籍，不需要撤销')
  expect(can.revoke({ status: 'decided', decision: 'graduate' })).toBe('生效的结论才能撤销')
  expect(can.award({ status: 'approved', certificateNo: null })).toBeUndefined()
  expect(can.award({ status: 'awarded', certificateNo: null })).toBeUndefined()
  expect(can.award({ status: 'awarded', certificateNo: 'C1099942028000001' })).toBe('评定为授予的才能办理')
})
