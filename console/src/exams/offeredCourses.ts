import { useQuery } from '@tanstack/react-query'
import { useRequest } from '@/api/schoolContext'
import { listAllocations, listOpenings } from '@/course_opening/api'
import { FIRST_PAGE } from '@/kit/useQueryTable'
import type { listOnlineSetups } from '@/online_exams/api'
import type { Offered } from './OfferedFilters'
import { type Offering, offeredIn } from './offeredRules'

/** So many openings a semester has at the most. */
const MOST = 1000

export type OfferedCourse = Offering

/** The courses of a semester with the classes that study them, by the filters of a wizard. */
export const useOfferedCourses = ({ semesterId, gradeId, levelId, majorId, onPaper }: Offered) => {
  const request = useRequest()
  const body = { semesterId, gradeId, levelId, majorId, pageCurrent: FIRST_PAGE, pageSize: MOST }
  return useQuery({
    queryKey: [listOpenings.path, 'offered', body, onPaper],
    queryFn: async ({ signal }) => {
      const [openings, allocations] = await Promise.all([
        request(listOpenings, { body }, { signal }),
        request(listAllocations, { body }, { signal }),
      ])
      return offeredIn(openings.list, allocations.list, onPaper === true)
    },
    enabled: semesterId !== undefined,
  })
}

/** So many examinations a batch has at the most. */
const MOST_SETUPS = 1000

/** The courses that a batch examines already, on the net or on paper. */
export const useSetCourses = (list: typeof listOnlineSetups, batchId: number | undefined): ReadonlySet<number> => {
  const request = useRequest()
  const body = { batchId, pageCurrent: FIRST_PAGE, pageSize: MOST_SETUPS }
  const { data } = useQuery({
    queryKey: [list.path, 'batch', body],
    queryFn: ({ signal }) => request(list, { body }, { signal }),
    enabled: batchId !== undefined,
  })
  const set = (data?.list ?? []).filter(({ status }) => status !== 'cancelled')
  return new Set(set.map(({ courseId }) => courseId))
}
