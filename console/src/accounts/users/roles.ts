import { useQueries } from '@tanstack/react-query'
import { request } from '@/api/client'
import type { RowOf } from '@/api/operation'
import { listSchoolRoleChoices } from '../api'

export type Role = RowOf<typeof listSchoolRoleChoices>

/** Which roles can be given: of the platform's people (who may hold school roles everywhere), or of one school's. */
export type RolesOf = 'platform' | { school: number | undefined }

const PLATFORM = 0
const SCHOOL = 1

/** Asked anew each time a form opens: somebody may just have made a role. */
export const useRoles = (of: RolesOf) => {
  const wanted =
    of === 'platform'
      ? [{ clientType: PLATFORM }, { clientType: SCHOOL }]
      : [{ clientType: SCHOOL, schoolId: of.school }]
  const found = useQueries({
    queries: wanted.map((query) => ({
      queryKey: [listSchoolRoleChoices.path, query],
      queryFn: ({ signal }: { signal: AbortSignal }) => request(listSchoolRoleChoices, { query }, { signal }),
    })),
  })
  return {
    roles: found.flatMap(({ data }): Role[] => data ?? []),
    isFetching: found.some((query) => query.isFetching),
  }
}
