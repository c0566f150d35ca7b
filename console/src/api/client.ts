import { ApiError, isSessionEnd, tellError, words } from './errors'
import type { Operation, OperationMeta } from './operation'
import { endSession, readToken } from './session'

/** Calls of the server: `./admin/apis` from the console's root, the token in a header, the answer in an envelope. */

const TIMEOUT_MS = 60_000
/** For uploads and for every path that ends in `/export` or `/download`. */
const LONG_TIMEOUT_MS = 1_800_000

interface Envelope<Data> {
  code: number
  msg: string | null
  data: Data
}

type Part<Name extends string, T> = [T] extends [undefined]
  ? { [N in Name]?: undefined }
  : Record<never, never> extends T
    ? { [N in Name]?: T }
    : { [N in Name]: T }

/** What an operation is called with. */
export type Input<Query, Body> = Part<'query', Query> & Part<'body', Body>
type Arguments<Query, Body> =
  Record<never, never> extends Input<Query, Body> ? [input?: Input<Query, Body>] : [input: Input<Query, Body>]

/** The same without its types, for the parts of the kit that build it from the document's metadata. */
export interface LooseInput {
  query?: unknown
  body?: unknown
}

export interface Options {
  signal?: AbortSignal
  /** For website info and lists of options, which fail unless the code is 200. */
  strictly?: boolean
  /** Refusals that the caller deals with without a word. */
  quiet?: (refusal: ApiError) => boolean
}

/** What the shell does when any call reveals a changed right. */
export const reactions = {
  forbidden: (_message: string) => {},
}

const isExport = (path: string) => /\/(export|download)$/.test(path)

export const timeoutOf = (path: string, body: unknown) =>
  body instanceof FormData || isExport(path) ? LONG_TIMEOUT_MS : TIMEOUT_MS

export const addressOf = (operation: OperationMeta, query: unknown, base = document.baseURI) => {
  const left = new Map(Object.entries(query ?? {}))
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = left.get(name)
    left.delete(name)
    return encodeURIComponent(String(value))
  })
  const url = new URL(`./admin/apis${path}`, base)
  for (const [name, value] of left) {
    if (value !== undefined && value !== null) url.searchParams.set(name, String(value))
  }
  return url.href
}

const random = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')

/** Keys of saves that got no answer: the same save again carries the same key, so it creates nothing twice. */
const unanswered = new Map<string, string>()

const headersOf = (operation: OperationMeta, text: string | undefined) => {
  const headers = new Headers()
  const token = readToken()
  if (token) headers.set('token', token)
  if (text !== undefined) headers.set('Content-Type', 'application/json')
  if (operation.path.endsWith('/save')) {
    const save = operation.path + text
    const key = unanswered.get(save) ?? random()
    unanswered.set(save, key)
    headers.set('Idempotency-Key', key)
  }
  return headers
}

const transportError = (cause: unknown) => {
  const late = cause instanceof DOMException && cause.name === 'TimeoutError'
  return new ApiError(0, late ? words.timeout : words.network)
}

const wasAborted = (cause: unknown) => cause instanceof DOMException && cause.name === 'AbortError'

/** Shows a refusal, and does what else its code asks for. Always throws. */
const refuse = (code: number, msg: string | null, data: unknown, quiet?: Options['quiet']): never => {
  const refusal = new ApiError(code, msg || words.rejected, data)
  if (quiet?.(refusal)) throw refusal
  if (isSessionEnd(code)) endSession(msg || words.unnamed)
  else tellError(msg || words.unnamed)
  if (code === 403) reactions.forbidden(msg ?? '')
  throw refusal
}

const parse = <Data>(text: string): Envelope<Data> | undefined => {
  try {
    const answer: Envelope<Data> = JSON.parse(text)
    return typeof answer?.code === 'number' ? answer : undefined
  } catch {
    return undefined
  }
}

/** Opens an envelope. Code 1 is a success too, except where an answer is asked for `strictly`. */
export const unwrap = <Data>(text: string, { strictly, quiet }: Options = {}): Data => {
  const answer = parse<Data>(text)
  if (!answer) {
    tellError(words.network)
    throw new ApiError(0, words.network)
  }
  if (answer.code === 200 || (answer.code === 1 && !strictly)) return answer.data
  return refuse(answer.code, answer.msg, answer.data, quiet)
}

const send = async (operation: OperationMeta, query: unknown, body: unknown, signal?: AbortSignal) => {
  const text = body instanceof FormData || body === undefined ? undefined : JSON.stringify(body)
  const timeout = AbortSignal.timeout(timeoutOf(operation.path, body))
  try {
    const response = await fetch(addressOf(operation, query), {
      method: operation.method,
      headers: headersOf(operation, text),
      body: body instanceof FormData ? body : text,
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    })
    unanswered.delete(operation.path + text)
    return response
  } catch (cause) {
    if (wasAborted(cause)) throw cause
    const error = transportError(cause)
    tellError(error.message)
    throw error
  }
}

/** Calls an operation and answers its data. Every failure was shown to the person when this throws. */
export const request = async <Data>(
  operation: Operation<unknown, unknown, Data>,
  input: LooseInput = {},
  options: Options = {},
): Promise<Data> => {
  const response = await send(operation, input.query, input.body, options.signal)
  return unwrap<Data>(await response.text(), options)
}

/** {@link request} with the types of the operation: what screens use. */
export const call = <Query, Body, Data>(
  operation: Operation<Query, Body, Data>,
  ...[input]: Arguments<Query, Body>
): Promise<Data> => request(operation, input)

/** What a failed export says: a file was asked for, and text came. */
export const refuseExport = (text: string): never => {
  const answer = parse(text)
  if (!answer) {
    tellError(words.exportUnreadable)
    throw new ApiError(999, words.exportUnreadable)
  }
  const failed = answer.code === 999 || answer.code === 200 || answer.code === 1
  return refuse(answer.code, failed ? answer.msg || words.exportFailed : answer.msg, answer.data)
}

/** The file name that the server gave, Chinese included. */
export const fileNameOf = (disposition: string | null) => {
  const extended = disposition?.match(/filename\*=UTF-8''([^;]+)/i)?.[1]
  if (extended) return decodeURIComponent(extended)
  return disposition?.match(/filename="?([^";]+)"?/i)?.[1]
}

export const saveBlob = (blob: Blob, name: string) => {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}

/** Saves the file that an operation answers under the server's name, or under `name` when it gives none. */
export const download = async (operation: Operation<unknown, unknown, Blob>, input: LooseInput, name: string) => {
  const response = await send(operation, input.query, input.body)
  const type = response.headers.get('Content-Type') ?? ''
  if (/json|text\//.test(type)) return refuseExport(await response.text())
  saveBlob(await response.blob(), fileNameOf(response.headers.get('Content-Disposition')) ?? name)
}

/** The states of an upload, as they are counted in the specification. */
export const UploadState = { progress: 2, success: 3, failure: 4, network: 5 } as const
export type UploadStep =
  | { state: typeof UploadState.progress; percent: number }
  | { state: typeof UploadState.failure | typeof UploadState.network; message: string }

/** Sends a form and tells how far it is, which `fetch` cannot. Resolves with the answer's data. */
export const upload = <Query, Data>(
  operation: Operation<Query, FormData, Data>,
  form: FormData,
  onStep: (step: UploadStep) => void,
) =>
  new Promise<Data>((resolve, reject) => {
    const request = new XMLHttpRequest()
    const fail = (state: typeof UploadState.failure | typeof UploadState.network, error: unknown) => {
      onStep({ state, message: error instanceof Error ? error.message : words.rejected })
      reject(error)
    }
    request.open(operation.method, addressOf(operation, undefined))
    request.timeout = LONG_TIMEOUT_MS
    const token = readToken()
    if (token) request.setRequestHeader('token', token)
    request.upload.onprogress = (event) =>
      onStep({ state: UploadState.progress, percent: event.total ? Math.round((event.loaded / event.total) * 100) : 0 })
    request.onloadend = () => {
      if (request.status === 0) {
        tellError(words.network)
        fail(UploadState.network, new ApiError(0, words.network))
        return
      }
      try {
        resolve(unwrap<Data>(request.responseText))
      } catch (error) {
        fail(UploadState.failure, error)
      }
    }
    request.send(form)
  })
