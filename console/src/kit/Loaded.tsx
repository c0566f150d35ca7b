import { Button, Result, Skeleton } from '@arco-design/web-react'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { messageOf } from '@/api/errors'

interface FailedProps {
  error: unknown
  retry: () => void
  title?: string
}

/** What stands in the place of something that did not come. */
export const Failed = ({ error, retry, title = '没有加载成功' }: FailedProps) => (
  <Result status="error" title={title} subTitle={messageOf(error)} extra={<Button onClick={retry}>重试</Button>} />
)

interface LoadedProps<Data> {
  query: Pick<UseQueryResult<Data>, 'data' | 'isError' | 'error' | 'refetch'>
  /** Lines that stand for it meanwhile. */
  rows?: number
  children: (data: Data) => ReactNode
}

/** What a query brings; until then its outline, and a way to try again when it failed. What came once stays. */
export const Loaded = <Data,>({ query, rows = 8, children }: LoadedProps<Data>) => {
  if (query.data !== undefined) return children(query.data)
  if (query.isError) return <Failed error={query.error} retry={() => query.refetch()} />
  return <Skeleton text={{ rows }} animation />
}
