import { request } from '@/api/client'
import { allows, useIdentity } from '@/api/identity'
import type { RowOf } from '@/api/operation'
import { FIRST_PAGE } from '@/kit/useQueryTable'
import { paths } from '@/paths'
import { listStudents } from './api'

const MOST = 8

/** A student whom the palette found. */
export interface Found {
  id: number
  name: string
  /** By which one tells people of one name apart. */
  about: string
  /** The screen of their status with this student's file open. */
  to: string
}

const screenOf = (status: RowOf<typeof listStudents>['status']) => {
  if (status === 'withdrawn' || status === 'transferred_out') return paths.leftStudents
  return status === 'graduated' || status === 'completed' || status === 'incomplete'
    ? paths.finishedStudents
    : paths.students
}

/** Students by name, number or 拼音首字母, as the register's own search finds them; nobody without its right. */
export const findStudents = async (keyword: string, signal: AbortSignal): Promise<Found[]> => {
  if (!allows(useIdentity.getState().permissions, listStudents)) return []
  const body = { pageCurrent: FIRST_PAGE, pageSize: MOST, keyword }
  const { list } = await request(listStudents, { body }, { signal })
  return list.map(({ id, name, studentNo, examineeNo, gradeName, majorName, status }) => ({
    id,
    name,
    about: [studentNo ?? examineeNo, gradeName, majorName].filter(Boolean).join(' · '),
    to: `${screenOf(status)}?${new URLSearchParams({ keyword: studentNo ?? examineeNo ?? name, open: String(id) })}`,
  }))
}
