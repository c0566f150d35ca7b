import { claimsOf, endSession, forget, leaveNotice, readToken, store } from '@/api/session'

/** Another browser tab signed in as somebody else, entered a school or left one: this page must not go on. */
export const watchIdentity = () => {
  const mine = claimsOf(readToken() ?? '')
  const check = () => {
    const token = readToken()
    if (!token) {
      if (mine) endSession()
      return
    }
    const now = claimsOf(token)
    if (!now || !mine || (now.sub === mine.sub && now.area === mine.area && now.schoolId === mine.schoolId)) return
    forget()
    store('schoolId', now.schoolId)
    leaveNotice('登录身份已变化', 'warning')
    location.assign(new URL('dashboard', document.baseURI).href)
  }
  window.addEventListener('focus', check)
  return () => window.removeEventListener('focus', check)
}
