import { createSchoolToken } from '@/accounts/api'
import { request } from '@/api/client'
import { allows, useIdentity } from '@/api/identity'
import type { RowOf } from '@/api/operation'
import { labelOf } from '@/kit/labels'
import { FIRST_PAGE } from '@/kit/useQueryTable'
import { paths } from '@/paths'
import { listSchools } from './api'
import { can } from './schoolRules'

const MOST = 8

type School = RowOf<typeof listSchools>

/** A school that the palette found. */
export interface FoundSchool extends Pick<School, 'id' | 'name' | 'status'> {
  about: string
  /** Whether this person goes in from here; where not, they are led to its row of the list. */
  enters: boolean
  to: string
}

/** Schools by name or code, as the list's own search finds them; none without its right. */
export const findSchools = async (keyword: string, signal: AbortSignal): Promise<FoundSchool[]> => {
  const { permissions } = useIdentity.getState()
  if (!allows(permissions, listSchools)) return []
  const body = { pageCurrent: FIRST_PAGE, pageSize: MOST, keyword }
  const { list } = await request(listSchools, { body }, { signal })
  return list.map((school) => {
    const enters = allows(permissions, createSchoolToken) && can.enter(school) === undefined
    const { id, name, status, code } = school
    return {
      id,
      name,
      status,
      about: [code, labelOf(listSchools, 'status', status), enters ? '进入院校' : undefined]
        .filter(Boolean)
        .join(' · '),
      enters,
      to: `${paths.schools}?${new URLSearchParams({ keyword: code, open: String(id) })}`,
    }
  })
}
