import { Message } from '@arco-design/web-react'
import { takeNotice } from './session'

/** The error catalogue: what the server's answers become for a person (specification §8, 01 §10.10–10.14). */

export const words = {
  rejected: '请稍后再试',
  unnamed: 'Error',
  network: '网络连接失败，请检查网络后重试',
  timeout: '请求超时，请稍后再试',
  exportFailed: '导出失败',
  exportUnreadable: '导出失败，请稍后重试',
} as const

/** How long an error stays on the screen. */
const ERROR_MS = 5000
/** How long any other tip does. */
const TIP_MS = 2000

export interface FieldError {
  field: string
  message: string
}

/** A call that was not answered with success. `message` is fit to be shown. */
export class ApiError extends Error {
  override name = 'ApiError'
  /** The code of the envelope; 0 when there was no answer. */
  readonly code: number
  readonly data: unknown

  constructor(code: number, message: string, data: unknown = null) {
    super(message)
    this.code = code
    this.data = data
  }
}

/** The time of the session is over. */
export const TIME_OVER = 302

export const isSessionEnd = (code: number) => code === 301 || code === TIME_OVER || code === 303

const isFieldError = (value: unknown): value is FieldError =>
  typeof value === 'object' &&
  value !== null &&
  'field' in value &&
  typeof value.field === 'string' &&
  'message' in value &&
  typeof value.message === 'string'

/** The fields of a form that the server refused. */
export const fieldErrors = (error: unknown): FieldError[] =>
  error instanceof ApiError && error.code === 422 && Array.isArray(error.data) ? error.data.filter(isFieldError) : []

export const messageOf = (error: unknown) => (error instanceof Error && error.message ? error.message : words.rejected)

export const tellError = (content: string) => {
  Message.error({ id: content, content, duration: ERROR_MS })
}

export const tellWarning = (content: string) => {
  Message.warning({ id: content, content, duration: TIP_MS })
}

export const tellSuccess = (content: string) => {
  Message.success({ content, duration: TIP_MS })
}

/** Says what was left to be said before the page was loaded anew. */
export const tellNotice = () => {
  const notice = takeNotice()
  if (!notice) return
  Message[notice.tone]({ content: notice.text, duration: notice.tone === 'error' ? ERROR_MS : TIP_MS })
}
