import { Alert } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { Operation } from '@/api/operation'
import { useRequest } from '@/api/schoolContext'
import { paths } from '@/paths'
import '@/kit/figures.css'

/** Stands above what cannot go to the provider while nobody told which account is meant. */
export const NotConfigured = () => (
  <Alert
    type="warning"
    content={
      <>
        请先在系统配置中设置公众号，设置后才能发布和同步。
        <Link className="overview-link" to={`${paths.systemConfig}?configKind=wechat_mp`}>
          去设置
        </Link>
      </>
    }
  />
)

type Configured = Operation<
  undefined,
  { pageCurrent?: number | null; pageSize?: number | null },
  { configured: boolean }
>

/** The same above a list that tells it beside its rows. */
export const NotConfiguredOf = ({ list }: { list: Configured }) => {
  const request = useRequest()
  const told = useQuery({
    queryKey: [list.path, 'configured'],
    queryFn: ({ signal }) => request(list, { body: { pageCurrent: 1, pageSize: 1 } }, { signal }),
  })
  return told.data?.configured === false ? <NotConfigured /> : null
}
