import { call } from '@/api/client'
import { becomeAnother, endSession, leaveNotice, stored } from '@/api/session'
import { leaveSchool } from './api'

/** Out of a school, back to the page of the operator's own session that led there; the server lets also an entry go whose time is over. */
export const backToPlatform = async () => {
  const at = stored<string>('cameFrom')
  becomeAnother((await call(leaveSchool)).token, undefined, at)
}

let returning = false

/** The time of an entry is over: back to the platform by itself, or to the sign-in page when that is refused too. */
export const endEntry = () => {
  if (returning) return endSession('登录已过期，请重新登录')
  returning = true
  leaveNotice('进入院校的时间已到，已返回平台', 'warning')
  backToPlatform().catch(() => {})
}
