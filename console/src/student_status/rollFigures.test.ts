import { expect, it } from 'vitest'
import type { Cohort } from '@/api/types/student_status'
import { barsOf, namesOf, partOf, sumOf, ways } from './rollFigures'

const cohort = (gradeName: string, levelName: string, siteName: string, count: number): Cohort => ({
  gradeName,
  levelName,
  siteName,
  studyForm: 'non_full_time',
  count,
})

const cohorts = [
  cohort('2026级', '专升本', '城东站', 20),
  cohort('2026级', '高起专', '城西站', 45),
  cohort('2025级', '专升本', '城东站', 7),
]

it('counts each student once, whichever way', () => {
  for (const [way] of ways) {
    const bars = barsOf(cohorts, way)
    expect(bars.reduce((sum, { total }) => sum + total, 0)).toBe(sumOf(cohorts))
    for (const { total, parts } of bars) expect(parts.reduce((sum, count) => sum + count, 0)).toBe(total)
  }
})

it('stacks grades, and within a grade its levels; the largest site stands first', () => {
  expect(barsOf(cohorts, 'siteName')).toEqual([
    { name: '城西站', total: 45, parts: [45, 0] },
    { name: '城东站', total: 27, parts: [20, 7] },
  ])
  expect(partOf('gradeName')).toBe('levelName')
  expect(namesOf(cohorts, 'gradeName')).toEqual(['2026级', '2025级'])
  expect(barsOf(cohorts, 'gradeName')[0]).toEqual({ name: '2026级', total: 65, parts: [20, 45] })
})
