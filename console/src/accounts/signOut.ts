import { request } from '@/api/client'
import { dropToken, forget, leaveNotice } from '@/api/session'
import { paths } from '@/paths'
import { logout } from './api'

/** Forgets the session here whatever the server answers, and starts afresh at the sign-in page. */
export const signOut = async (notice?: string) => {
  await request(logout, {}, { quiet: () => true }).catch(() => {})
  dropToken()
  forget()
  if (notice) leaveNotice(notice, 'success')
  location.assign(new URL(`.${paths.login}`, document.baseURI).href)
}
