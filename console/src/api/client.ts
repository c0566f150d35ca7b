import { isAttended } from './attended'
import { ApiError, isSessionEnd, TIME_OVER, tellError, words } from './errors'
import type { Operation, OperationMeta } from './operation'
import { endSession, isInEntry, readToken } from './session'

/** Calls of the server: `./admin/apis` from the console's root, the token in a header, the answer in an envelope. */

const TIMEOUT_MS = 60_000
/** For uploads, for the end of a large one, and for every path that ends in `/export` or `/download`. */
export const LONG_TIMEOUT_MS = 1_800_000

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
export type Arguments<Query, Body> =
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
  entryOver: () => {},
}

const takesLong = (path: string) => /\/(export|download|upload\/complete)$/.test(path)

export const timeoutOf = (path: string, body: unknown) =>
  body instanceof FormData || takesLong(path) ? LONG_TIMEOUT_MS : TIMEOUT_MS

export const addressOf = (operation: OperationMeta, query: unknown, base = document.baseURI) => {
  const left = new Map(Object.entries(query ?? {}))
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = left.get(name)
    left.delete(name)
    return encodeURIComponent(String(value))
  })
  const url = new URL(`./admin/apis${path}`, base)
  for (const [name, value] of left) {
    if (value !== undefined && value !== null && value !== '') url.searchParams.set(name, String(value))
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
  if (!operation.writes && !isAttended()) headers.set('X-Unattended', '1')
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
export const refuse = (code: number, msg: string | null, data: unknown, quiet?: Options['quiet']): never => {
  const refusal = new ApiError(code, msg || words.rejected, data)
  if (quiet?.(refusal)) throw refusal
  if (code === TIME_OVER && isInEntry()) reactions.entryOver()
  else if (isSessionEnd(code)) endSession(msg || words.unnamed)
  else tellError(msg || words.unnamed)
  if (code === 403) reactions.forbidden(msg ?? '')
  throw refusal
}

export const parse = <Data>(text: string): Envelope<Data> | undefined => {
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

export const send = async (operation: OperationMeta, query: unknown, given: unknown, signal?: AbortSignal) => {
  // A list that is asked for by GET takes its filters in the query.
  const queried = operation.method === 'GET' && given !== undefined
  const address = addressOf(operation, queried ? { ...(query ?? {}), ...given } : query)
  const body = queried ? undefined : given
  const text = body instanceof FormData || body === undefined ? undefined : JSON.stringify(body)
  const timeout = AbortSignal.timeout(timeoutOf(operation.path, body))
  try {
    const response = await fetch(address, {
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

export type Requester = typeof request
export type Caller = typeof call

/** Names the school that an operator means, for the operations that ask them; all others are left as they are. */
export const ofSchool = (schoolId: number | undefined, { names }: OperationMeta, input: LooseInput = {}): LooseInput =>
  names && schoolId !== undefined ? { ...input, query: { ...(input.query ?? {}), schoolId } } : input

/** {@link request} for the data of one school. */
export const requestOf =
  (schoolId: number | undefined): Requester =>
  (operation, input, options) =>
    request(operation, ofSchool(schoolId, operation, input), options)

/** {@link call} for the data of one school. */
export const callOf =
  (schoolId: number | undefined): Caller =>
  <Query, Body, Data>(operation: Operation<Query, Body, Data>, ...[input]: Arguments<Query, Body>) =>
    request<Data>(operation, ofSchool(schoolId, operation, input))
