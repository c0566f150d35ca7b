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

/** Why nothing can go to the provider, if so. */
export const refusalOf = (configured: boolean | undefined) =>
  configured === false ? '请先在系统配置中设置公众号' : undefined

/** Whether the account is known, of a list that tells it beside its rows. */
export const useConfigured = (list: Configured) => {
  const request = useRequest()
  const told = useQuery({
    queryKey: [list.path, 'configured'],
    queryFn: ({ signal }) => request(list, { body: { pageCurrent: 1, pageSize: 1 } }, { signal }),
  })
  return told.data?.configured
}

/** The same above such a list. */
export const NotConfiguredOf = ({ list }: { list: Configured }) =>
  useConfigured(list) === false ? <NotConfigured /> : null
