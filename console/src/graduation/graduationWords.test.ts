import { expect, it } from 'vitest'
import { acceptedIn, can, paramsOf, ruleCodes } from './graduationWords'

it('confirms a batch when everybody is decided', () => {
  expect(can.confirm({ status: 'auditing', total: 80, decided: 79 })).toBe('还有1名学生未终审')
  expect(can.confirm({ status: 'auditing', total: 80, decided: 80 })).toBeUndefined()
  expect(can.confirm({ status: 'confirmed', total: 80, decided: 80 })).toBe('审核中的批次才能确认')
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
