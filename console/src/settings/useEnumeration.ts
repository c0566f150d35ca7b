import { useQuery } from '@tanstack/react-query'
import { useCall } from '@/api/schoolContext'
import { listEnumeration } from './api'

/** The values of an enumeration of the server with their words, where no field of a call has them. */
export const useEnumeration = (type: string) => {
  const call = useCall()
  const values = useQuery({
    queryKey: [listEnumeration.path, type],
    queryFn: () => call(listEnumeration, { query: { type } }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return values.data ?? []
}
