import { useQuery } from '@tanstack/react-query'
import { listOptions } from '@/api/infra'
import { useRequest } from '@/api/schoolContext'
import { useAddress } from '@/kit/useAddress'
import { batches } from './choices'

/** The batch that the address says, and the batches of which the first is the newest. */
export const useBatch = () => {
  const request = useRequest()
  const [search] = useAddress()
  const query = useQuery({
    queryKey: [listOptions.path, 'newest batch'],
    queryFn: ({ signal }) => request(listOptions, { query: batches.query('') }, { signal }),
  })
  return { query, asked: Number(search.get('batchId')) || undefined }
}
