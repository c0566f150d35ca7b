import { useHref, useLocation, useSearchParams } from 'react-router'

/**
 * What a page keeps in its address, and how it changes it. The router builds a change on the address that was painted
 * last: of two in one moment, such as a tab and a search, the second would undo the first. Here it is built on where the
 * browser already is, unless that is another page.
 */
export const useAddress = () => {
  const [painted, setSearch] = useSearchParams()
  const own = useHref(useLocation().pathname)
  const change = (next: (before: URLSearchParams) => URLSearchParams) =>
    setSearch(
      (before) => next(window.location.pathname === own ? new URLSearchParams(window.location.search) : before),
      { replace: true },
    )
  return [painted, change] as const
}
