import { useQuery } from '@tanstack/react-query'
import { request } from '@/api/client'
import { viewJob } from '@/api/infra'

const POLL_MS = 1000

/** A job, followed until it is over. */
export const useJob = (id: number | null | undefined) =>
  useQuery({
    queryKey: [viewJob.path, id],
    queryFn: ({ signal }) => request(viewJob, { query: { id } }, { signal }),
    enabled: typeof id === 'number',
    refetchInterval: ({ state }) =>
      state.error || (state.data && state.data.state !== 'queued' && state.data.state !== 'running') ? false : POLL_MS,
  })
