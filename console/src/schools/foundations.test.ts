import { expect, test } from 'vitest'
import { canCome, withNeeds } from './foundations'

const kind = (name: string, added: number, needs: string[] = [], refusal?: string) => ({
  kind: name,
  needs,
  added,
  refusal,
})

test('a kind comes with those to which it refers', () => {
  const kinds = [kind('level', 2), kind('grade', 1), kind('major', 5, ['level']), kind('course', 9, ['curriculumType'])]
  expect(withNeeds(kinds, ['major'])).toEqual(['level', 'major'])
  expect(withNeeds(kinds, ['grade'])).toEqual(['grade'])
  expect(withNeeds(kinds, [])).toEqual([])
})

test('what is there already, or is not theirs to take, does not come along', () => {
  expect(canCome(kind('level', 0))).toBe(false)
  expect(canCome(kind('level', 2, [], '没有为院校新增层次的权限'))).toBe(false)
  expect(withNeeds([kind('level', 0), kind('major', 5, ['level'])], ['major'])).toEqual(['major'])
})
