import { queryOptions, useQuery } from '@tanstack/react-query'
import { request } from '@/api/client'
import { queryClient } from '@/api/query'
import { encrypt } from '@/api/rsa'
import { viewWebsiteInfo } from '@/settings/api'

/** Name, pictures and public key of the site whose address is in the address bar. Public, asked for strictly. */
export const websiteQuery = queryOptions({
  queryKey: [viewWebsiteInfo.path],
  queryFn: ({ signal }) => request(viewWebsiteInfo, {}, { signal, strictly: true }),
  staleTime: Number.POSITIVE_INFINITY,
})

/** A password as it leaves the browser: under the public key of the site. */
export const sealed = async (password: string) =>
  encrypt((await queryClient.ensureQueryData(websiteQuery)).publicKey, password)

export const useWebsite = () => useQuery(websiteQuery).data

export const showTitle = (page: string | undefined, site: string | null | undefined) => {
  document.title = [page, `${site ?? ''}管理后台`].filter(Boolean).join(' - ')
}

export const showIcon = (href: string | null | undefined) => {
  const link = document.querySelector<HTMLLinkElement>('link[rel=icon]')
  if (link && href) link.href = href
}
