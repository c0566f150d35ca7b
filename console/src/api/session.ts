/**
 * Where a session is kept in this browser: the token in a cookie that all tabs share, the rest in this tab's session
 * storage. Signing out, entering a school and leaving it all end in {@link forget}.
 */

const COOKIE = 'education_admin_token'
const keys = {
  schoolId: 'schoolId',
  schoolName: 'schoolName',
  permissions: 'permissions',
  options: 'options',
  tabs: 'tabs',
  tabsOwner: 'tabsOwner',
  recent: 'recent',
  lastSchool: 'lastSchool',
  notice: 'notice',
  cameFrom: 'cameFrom',
} as const
type Key = keyof typeof keys

/** What the console reads of a token; the server alone decides whether it is good. */
export interface Claims {
  sub: number
  area: 'platform' | 'school'
  schoolId: number | null
  /** An operator's visit in a school, below their own session. */
  entry: boolean
  exp: number
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

export const claimsOf = (token: string): Claims | undefined => {
  const payload = token.split('.')[1]
  if (!payload) return undefined
  try {
    const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0))
    const claims: unknown = JSON.parse(new TextDecoder().decode(bytes))
    if (!isRecord(claims)) return undefined
    return {
      sub: Number(claims.sub),
      area: claims.area === 'school' ? 'school' : 'platform',
      schoolId: typeof claims.schoolId === 'number' ? claims.schoolId : null,
      entry: isRecord(claims.act),
      exp: Number(claims.exp),
    }
  } catch {
    return undefined
  }
}

export const readToken = (cookies = document.cookie): string | undefined => {
  const pair = cookies.split('; ').find((text) => text.startsWith(`${COOKIE}=`))
  return pair?.slice(COOKIE.length + 1) || undefined
}

const writeCookie = (name: string, value: string, expires: Date | undefined) => {
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  const until = expires ? `; Expires=${expires.toUTCString()}` : ''
  // biome-ignore lint/suspicious/noDocumentCookie: the cookie store is absent on plain http, where many schools run
  document.cookie = `${name}=${value}; Path=/; SameSite=Lax${until}${secure}`
}

/** The token of an entry opens nothing when its time is over but the way back, so it is kept for as long as a session lasts. */
const ENTRY_KEPT_SECONDS = 24 * 3600

export const keepToken = (token: string) => {
  const claims = claimsOf(token)
  const kept = claims && claims.exp + (claims.entry ? ENTRY_KEPT_SECONDS : 0)
  writeCookie(COOKIE, token, kept ? new Date(kept * 1000) : undefined)
}

/** Whether the token at hand is an operator's visit in a school. */
export const isInEntry = () => claimsOf(readToken() ?? '')?.entry === true

export const dropToken = () => writeCookie(COOKIE, '', new Date(0))

export const readCookie = (name: string) =>
  document.cookie
    .split('; ')
    .find((text) => text.startsWith(`${name}=`))
    ?.slice(name.length + 1)

export const keepCookie = (name: string, value: string) =>
  writeCookie(name, value, new Date(Date.now() + 365 * 24 * 3600 * 1000))

/** What this console put there earlier; only it writes these keys. */
export const stored = <T>(key: Key): T | undefined => {
  const text = sessionStorage.getItem(keys[key])
  if (text === null) return undefined
  try {
    const value: T = JSON.parse(text)
    return value
  } catch {
    return undefined
  }
}

export const store = (key: Key, value: unknown) => {
  if (value === undefined || value === null) sessionStorage.removeItem(keys[key])
  else sessionStorage.setItem(keys[key], JSON.stringify(value))
}

export const storedSchool = () => stored<number>('schoolId')

/** Forgets everything of the present identity but its token: permissions, options, tabs, the school. */
export const forget = () => {
  for (const key of [
    'schoolId',
    'schoolName',
    'permissions',
    'options',
    'tabs',
    'tabsOwner',
    'recent',
    'lastSchool',
  ] as const)
    store(key, undefined)
}

export interface Notice {
  text: string
  tone: 'error' | 'warning' | 'success'
}

/** A sentence that is to be read after the coming reload. */
export const leaveNotice = (text: string, tone: Notice['tone'] = 'error') => store('notice', { text, tone })

export const takeNotice = (): Notice | undefined => {
  const notice = stored<Notice>('notice')
  store('notice', undefined)
  return notice
}

let ending = false

/** The session is over: forget it and load the page anew, once, however many calls were refused together. */
export const endSession = (notice?: string) => {
  if (ending) return
  ending = true
  dropToken()
  forget()
  if (notice) leaveNotice(notice)
  location.reload()
}

/** The page that is open, below the console's root. */
const here = () => location.href.slice(new URL('.', document.baseURI).href.length)

/** Puts another identity in the place of the present one and starts afresh at its home, or at a page that it left earlier. */
export const becomeAnother = (token: string, school?: { id: number | null; name: string | null }, at = 'dashboard') => {
  const left = here()
  forget()
  store('cameFrom', school ? left : undefined)
  keepToken(token)
  store('schoolId', school?.id)
  store('schoolName', school?.name)
  location.assign(new URL(at, document.baseURI).href)
}
