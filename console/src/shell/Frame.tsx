import { useSearchParams } from 'react-router'
import { useIdentity } from '@/api/identity'
import { NotFound } from '@/kit/NotFound'
import { frameAllowed } from './guard'

/** An outside page of a menu. It gets no token and stands in a sandbox. */
export const Frame = () => {
  const [search] = useSearchParams()
  const menus = useIdentity((state) => state.menus) ?? []
  const url = search.get('url')
  if (!url || !frameAllowed(menus, url)) return <NotFound />
  return (
    <iframe
      className="frame"
      title="外部页面"
      src={url}
      sandbox="allow-scripts allow-forms allow-popups allow-same-origin"
      referrerPolicy="no-referrer"
    />
  )
}
