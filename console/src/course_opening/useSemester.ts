import { useQuery } from '@tanstack/react-query'
import { useAllowed } from '@/api/identity'
import { useOptions } from '@/api/options'
import { isOverAll, useRequest, useSchoolContext } from '@/api/schoolContext'
import { listSemesters } from '@/basic_data/api'
import { semesters } from '@/basic_data/choices'
import { formatTime } from '@/kit/format'
import type { Choice } from '@/kit/OptionSelect'
import { FIRST_PAGE } from '@/kit/useQueryTable'
import { semesterOn } from './semesterRules'

const choiceOf = (row: { id: number; name: string } | undefined): Choice | undefined =>
  row && { code: row.id, desc: row.name }

/** The semester that a list shows: the one that its filter names, else the one with which the page began. */
export const useShownSemester = (asked: string | undefined, begun: Choice | undefined): Choice | undefined => {
  const id = Number(asked) || begun?.code
  const offered = useOptions(semesters.options, semesters.query(''))
  return id === begun?.code ? begun : offered.data?.find(({ code }) => code === id)
}

/**
 * The semester with which a page begins: the one that the school calls its current one, or for whoever may not look at
 * semesters the one of the day. Over all schools there is none.
 */
export const useSemester = () => {
  const request = useRequest()
  const overAll = isOverAll(useSchoolContext())
  const may = useAllowed()(listSemesters)
  const current = useQuery({
    queryKey: [listSemesters.path, 'current'],
    queryFn: ({ signal }) =>
      request(listSemesters, { body: { current: true, pageCurrent: FIRST_PAGE, pageSize: 1 } }, { signal }),
    enabled: may && !overAll,
  })
  const isWithout = current.data?.list.length === 0
  const offered = useOptions(semesters.options, semesters.query(''), !overAll && (!may || isWithout || current.isError))
  const known = choiceOf(current.data?.list[0])
  const guessed = offered.data && semesterOn(formatTime(new Date(), 'YYYY-MM-DD'), offered.data)
  const isPending = !overAll && !known && !offered.data && !offered.isError
  return { isPending, semester: known ?? guessed }
}
