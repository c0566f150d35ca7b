import { expect, it } from 'vitest'
import { listLearners, listVipSets } from '@/learners/api'
import { listOrders } from '@/orders/api'
import { listQuizzes } from '@/quizzes/api'
import { listLiveCourses, listRecordCourses, listResourceCourses } from './api'
import { placeOfLearner, placeOfOrder, placeOfProduct } from './places'

const asked = (place: string | undefined) => new URL(place ?? '', 'https://console').searchParams

it('leads to a record among those of its name', () => {
  expect(asked(placeOfLearner(7, '许清和')).get('nickname')).toBe('许清和')
  expect(asked(placeOfLearner(7, '许清和')).get('open')).toBe('7')
  expect([...asked(placeOfLearner(7, null))]).toEqual([
    ['learnerId', '7'],
    ['open', '7'],
  ])
  expect(placeOfOrder('202601050000000001')).toBe('/user/order/info/list?orderNo=202601050000000001')
  expect(asked(placeOfOrder('202601050000000001', 3)).get('open')).toBe('3')
})

it('asks by filters that the lists have', () => {
  const lists = {
    record: listRecordCourses,
    live: listLiveCourses,
    resource: listResourceCourses,
    exam: listQuizzes,
    vip: listVipSets,
  } as const
  for (const kind of ['record', 'live', 'resource', 'exam', 'vip'] as const) {
    const filters = [...asked(placeOfProduct(kind, 1, '英语')).keys()].filter((name) => name !== 'open')
    expect(filters.every((name) => name in lists[kind].fields)).toBe(true)
  }
  expect(['nickname', 'learnerId'].every((name) => name in listLearners.fields)).toBe(true)
  expect('orderNo' in listOrders.fields).toBe(true)
})
