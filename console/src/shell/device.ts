import { useEffect, useState } from 'react'
import { keepCookie, readCookie } from '@/api/session'

/** Below this width the sidebar is a drawer. */
const MOBILE_BELOW = 992
const COOKIE = 'sidebarStatus'

export interface SidebarState {
  mobile: boolean
  opened: boolean
  toggle: () => void
  close: () => void
}

/** Opened or collapsed: on a desktop as the cookie says (1 or 0), on a small screen closed until it is asked for. */
export const useSidebar = (): SidebarState => {
  const [mobile, setMobile] = useState(window.innerWidth < MOBILE_BELOW)
  const [wide, setWide] = useState(readCookie(COOKIE) !== '0')
  const [drawer, setDrawer] = useState(false)

  useEffect(() => {
    const small = matchMedia(`(max-width: ${MOBILE_BELOW - 1}px)`)
    const follow = () => {
      setMobile(small.matches)
      setDrawer(false)
    }
    follow()
    small.addEventListener('change', follow)
    return () => small.removeEventListener('change', follow)
  }, [])

  return {
    mobile,
    opened: mobile ? drawer : wide,
    toggle: () => {
      if (mobile) {
        setDrawer(!drawer)
        return
      }
      keepCookie(COOKIE, wide ? '0' : '1')
      setWide(!wide)
    },
    close: () => setDrawer(false),
  }
}
