import { useQuery } from '@tanstack/react-query'
import { useAllowed } from '@/api/identity'
import { useRequest } from '@/api/schoolContext'
import { FIRST_PAGE } from '@/kit/useQueryTable'
import { listEnrollmentMajors } from './api'

/** A school recruits for fewer majors than that at once. */
export const MOST_MAJORS = 500

/** The school's major of each 招生专业 of a batch, by which lists of people are filtered; empty until it is known, and for whoever may not look. */
export const useMajorNumbers = (batchId: number): ReadonlyMap<number, number> => {
  const request = useRequest()
  const enabled = useAllowed()(listEnrollmentMajors)
  const body = { batchId, pageCurrent: FIRST_PAGE, pageSize: MOST_MAJORS }
  const majors = useQuery({
    queryKey: [listEnrollmentMajors.path, body],
    queryFn: ({ signal }) => request(listEnrollmentMajors, { body }, { signal }),
    enabled,
  })
  return new Map(majors.data?.list.map(({ id, majorId }) => [id, majorId]))
}
