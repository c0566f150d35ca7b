import { call, request } from '@/api/client'
import { ApiError, fieldErrors } from '@/api/errors'
import { forget, keepToken, store } from '@/api/session'
import { authenticate, login, schoolLogin, viewOwnAccount } from './api'
import { encrypt, sha256Hex } from './rsa'

export type Entrance = 'login' | 'school_login'

export interface Credentials {
  loginName: string
  password: string
  /** Of the second step, where the account has one. */
  totpCode?: string
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

/** The password was right, and a code is missing or wrong: what the page says beside its field. */
export const codeRefusal = (error: unknown) => fieldErrors(error).find(({ field }) => field === 'totpCode')?.message

const attempt = async (credentials: Credentials, entrance: Entrance, publicKey: string, last: boolean) => {
  const loginName = credentials.loginName.trim()
  const loginPassword = await encrypt(publicKey, credentials.password)
  const signature = await challenge(loginName, entrance)
  const totpCode = credentials.totpCode?.trim() || undefined
  const input = { body: { loginName, loginPassword, signature, totpCode } }
  const options = {
    quiet: (refusal: ApiError) => (!last && isGone(refusal)) || codeRefusal(refusal) !== undefined,
  }
  return entrance === 'login'
    ? (await request(login, input, options)).token
    : await request(schoolLogin, input, options)
}

/**
 * Signs in and keeps the session. A challenge that was used up meanwhile (a second tab, a slow line) is taken again
 * once without a word.
 */
export const signIn = async (credentials: Credentials, entrance: Entrance, publicKey: string) => {
  const token = await attempt(credentials, entrance, publicKey, false).catch((error: unknown) => {
    if (!isGone(error)) throw error
    return attempt(credentials, entrance, publicKey, true)
  })
  forget()
  keepToken(token)
  if (entrance === 'login') return
  // schoolLogin answers only the token; the guard needs to know the school before it asks for the menu.
  const account = await call(viewOwnAccount)
  store('schoolId', account.schoolId)
  store('schoolName', account.schoolName)
}
