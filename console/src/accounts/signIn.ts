import { call, request } from '@/api/client'
import { ApiError, fieldErrors } from '@/api/errors'
import { encrypt, sha256Hex } from '@/api/rsa'
import { forget, keepToken, store } from '@/api/session'
import { authenticate, login, schoolLogin, viewOwnAccount } from './api'

export type Entrance = 'login' | 'school_login'

export interface Credentials {
  loginName: string
  password: string
  /** Of the second step, where the account has one. */
  totpCode?: string
  /** The invitation by which somebody who works at no school gets in. */
  agreeTo?: number
}

export interface Invited {
  id: number
  schoolName: string
}

/** Signatures are told apart by a random number below this. */
const NONCES = 10_000
const CHALLENGE_GONE = '登录校验已失效，请重试'

const challenge = async (loginName: string, stage: Entrance) => {
  const timestamp = Date.now()
  const signatureNonce = Math.floor(Math.random() * NONCES)
  const sign = await sha256Hex(`login${loginName}${timestamp}${signatureNonce}`)
  return call(authenticate, { body: { loginName, sign, signatureNonce, timestamp, stage } })
}

const isGone = (error: unknown) => error instanceof ApiError && error.code === 409 && error.message === CHALLENGE_GONE

const OTHER_ENTRANCE = /请从(院校|平台)入口登录/
const isElsewhere = (error: unknown) => error instanceof ApiError && OTHER_ENTRANCE.test(error.message)

/** The entrance of the page that was asked for; nothing where either could have it. */
export const entranceOf = (redirect: string | null): Entrance | undefined => {
  if (!redirect) return undefined
  if (redirect.startsWith('/schoolPC/')) return 'school_login'
  return redirect.startsWith('/platformPC/') || redirect.startsWith('/sys/') ? 'login' : undefined
}

/** The password was right, and a code is missing or wrong: what the page says beside its field. */
export const codeRefusal = (error: unknown) => fieldErrors(error).find(({ field }) => field === 'totpCode')?.message

const isInvited = (value: unknown): value is Invited =>
  typeof value === 'object' &&
  value !== null &&
  'id' in value &&
  typeof value.id === 'number' &&
  'schoolName' in value &&
  typeof value.schoolName === 'string'

/** Everything was right, but only a school that asks for the person would let them in: what they may agree to. */
export const invitationsIn = (error: unknown): Invited[] => {
  if (!(error instanceof ApiError) || error.code !== 403) return []
  const { data } = error
  if (typeof data !== 'object' || data === null || !('invitations' in data)) return []
  return Array.isArray(data.invitations) ? data.invitations.filter(isInvited) : []
}

interface Attempt {
  credentials: Credentials
  entrance: Entrance
  publicKey: string
  /** Whether a challenge that was used up is told. */
  last: boolean
  /** Whether an account of the other entrance is told. */
  fixed: boolean
}

const attempt = async ({ credentials, entrance, publicKey, last, fixed }: Attempt) => {
  const loginName = credentials.loginName.trim()
  const loginPassword = await encrypt(publicKey, credentials.password)
  const signature = await challenge(loginName, entrance)
  const totpCode = credentials.totpCode?.trim() || undefined
  const { agreeTo } = credentials
  const input = { body: { loginName, loginPassword, signature, totpCode, agreeTo } }
  const options = {
    quiet: (refusal: ApiError) =>
      (!last && isGone(refusal)) ||
      (!fixed && isElsewhere(refusal)) ||
      codeRefusal(refusal) !== undefined ||
      invitationsIn(refusal).length > 0,
  }
  return entrance === 'login'
    ? (await request(login, input, options)).token
    : await request(schoolLogin, input, options)
}

/**
 * Signs in and keeps the session. A challenge that was used up meanwhile (a second tab, a slow line) is taken again
 * once without a word; so is the other entrance for an account that belongs there, unless the address fixes it.
 */
export const signIn = async (credentials: Credentials, chosen: Entrance, publicKey: string, fixed: boolean) => {
  let entrance = chosen
  const token = await attempt({ credentials, entrance, publicKey, last: false, fixed }).catch((error: unknown) => {
    if (!fixed && isElsewhere(error)) entrance = chosen === 'login' ? 'school_login' : 'login'
    else if (!isGone(error)) throw error
    return attempt({ credentials, entrance, publicKey, last: true, fixed: true })
  })
  forget()
  keepToken(token)
  if (entrance === 'login') return
  // schoolLogin answers only the token; the guard needs to know the school before it asks for the menu.
  const account = await call(viewOwnAccount)
  store('schoolId', account.schoolId)
  store('schoolName', account.schoolName)
}
