import { Skeleton } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Navigate } from 'react-router'
import { useAllowed } from '@/api/identity'
import { listOptions } from '@/api/infra'
import { useOptions } from '@/api/options'
import { isOverAll, useRequest, useSchoolContext } from '@/api/schoolContext'
import { BegunFilters } from '@/kit/FilterBar'
import { useAddress } from '@/kit/useAddress'
import { FIRST_PAGE } from '@/kit/useQueryTable'
import { listEnrollmentBatches } from './api'
import { batches } from './BatchSelect'

/**
 * The batch with which one begins. `running`: the one that is open, and for whoever may not look at batches the newest that
 * is not closed; `batchId`: the same, else the newest of all. Neither is there until all that was asked came.
 */
export const useOpenBatch = (enabled = true) => {
  const request = useRequest()
  const mayLook = useAllowed()(listEnrollmentBatches)
  const body = { status: 'open' as const, pageCurrent: FIRST_PAGE, pageSize: 1 }
  const open = useQuery({
    queryKey: [listEnrollmentBatches.path, body],
    queryFn: ({ signal }) => request(listEnrollmentBatches, { body }, { signal }),
    enabled: enabled && mayLook,
  })
  const all = useOptions(listOptions, batches.query(''), enabled)
  // What failed is waited for no longer.
  const isSettled = !all.isPending && (!mayLook || !open.isPending)
  const known = all.data ?? []
  const running = isSettled ? (open.data?.list[0]?.id ?? known.find((batch) => batch.enabled)?.code) : undefined
  return { isSettled, running, batchId: isSettled ? (running ?? known[0]?.code) : undefined }
}

/** Nothing was asked for but, by an operator, the school. */
const isPlain = (search: URLSearchParams) => [...search.keys()].every((name) => name === 'schoolId')

/** A page over the people of batches: opened without a word it begins with the open batch; a link is what it says. */
export const FromOpenBatch = ({ children }: { children: ReactNode }) => {
  const [search] = useAddress()
  const overAll = isOverAll(useSchoolContext())
  // Asked for once: who takes the batch off sees those of all batches.
  const [begins, setBegins] = useState(() => !overAll && isPlain(search))
  const [begun, setBegun] = useState<number>()
  const { batchId, isSettled } = useOpenBatch(begins)
  const isOver = begins && (!isPlain(search) || (isSettled && batchId === undefined))
  if (isOver) setBegins(false)
  if (!begins || isOver) return <BegunFilters value={{ batchId: begun }}>{children}</BegunFilters>
  if (batchId === undefined) return <Skeleton text={{ rows: 10 }} animation />
  if (begun !== batchId) setBegun(batchId)
  const address = new URLSearchParams(search)
  address.set('batchId', String(batchId))
  return <Navigate replace to={{ search: `?${address}` }} />
}
