import type { Requester } from '@/api/client'
import type { BodyOf, Operation, OperationMeta } from '@/api/operation'
import { listLiveCourses, listRecordCourses, listResourceCourses } from '@/catalogue/api'
import { listVipSets } from '@/learners/api'
import { listQuizzes } from '@/quizzes/api'
import type { saveSeckill } from './api'

export type ProductKind = BodyOf<typeof saveSeckill>['productType']

/** What is sold, with its price in 分. */
interface Product {
  id: number
  name: string
  price: number
}

/** So many are offered; others are found by their names. */
const OFFERED = 50

interface Courses {
  list: { id: number; courseName: string; priceSale: number }[]
}

type FoundByName = Operation<undefined, { courseName?: string | null; pageSize?: number | null }, Courses>

const coursesOf: Record<'record' | 'live' | 'resource', FoundByName> = {
  record: listRecordCourses,
  live: listLiveCourses,
  resource: listResourceCourses,
}

/** Where products of a kind are looked for. */
export const listOf = (kind: ProductKind): OperationMeta => {
  if (kind === 'vip') return listVipSets
  return kind === 'exam' ? listQuizzes : coursesOf[kind]
}

/** The newest products of a kind, or those with a part of their name. */
export const productsOf = async (
  request: Requester,
  kind: ProductKind,
  name: string | undefined,
  signal: AbortSignal,
): Promise<Product[]> => {
  if (kind === 'vip') {
    const { list } = await request(listVipSets, { body: { setName: name, pageSize: OFFERED } }, { signal })
    return list.map(({ id, setName, price }) => ({ id, name: setName, price }))
  }
  if (kind === 'exam') {
    const { list } = await request(
      listQuizzes,
      { body: { examName: name, auditStatus: 'approved', pageSize: OFFERED } },
      { signal },
    )
    return list.map(({ id, examName, priceSale }) => ({ id, name: examName, price: priceSale }))
  }
  const { list } = await request(coursesOf[kind], { body: { courseName: name, pageSize: OFFERED } }, { signal })
  return list.map(({ id, courseName, priceSale }) => ({ id, name: courseName, price: priceSale }))
}
