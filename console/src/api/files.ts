import { addressOf, LONG_TIMEOUT_MS, type LooseInput, parse, refuse, send, unwrap } from './client'
import { ApiError, tellError, words } from './errors'
import type { Operation } from './operation'
import { readToken } from './session'

/** Files from and to the server: exports that are saved, uploads that tell how far they are. */

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
export const download = async (
  operation: Operation<unknown, unknown, Blob>,
  input: LooseInput,
  name: string,
  /** What the person calls it; it goes before the server's name. */
  called?: string,
) => {
  const response = await send(operation, input.query, input.body)
  const type = response.headers.get('Content-Type') ?? ''
  const given = fileNameOf(response.headers.get('Content-Disposition'))
  // A text with a name is the file that was asked for.
  if (/json/.test(type) || (/text\//.test(type) && !given)) return refuseExport(await response.text())
  saveBlob(await response.blob(), called ?? given ?? name)
}

/** The states of an upload, as they are counted in the specification. */
export const UploadState = { progress: 2, success: 3, failure: 4, network: 5 } as const
export type UploadStep =
  | {
      state: typeof UploadState.progress
      percent: number
      /** What there is to say beside the bar. */
      note?: string
      /** A large file: what has arrived stays, so it can be broken off and gone on with. */
      resumable?: boolean
    }
  | { state: typeof UploadState.failure | typeof UploadState.network; message: string }

/** Sends a form and tells how far it is, which `fetch` cannot. Resolves with the answer's data. */
export const upload = <Query, Data>(
  operation: Operation<Query, FormData, Data>,
  form: FormData,
  onStep: (step: UploadStep) => void,
  query?: unknown,
) =>
  new Promise<Data>((resolve, reject) => {
    const request = new XMLHttpRequest()
    const fail = (state: typeof UploadState.failure | typeof UploadState.network, error: unknown) => {
      onStep({ state, message: error instanceof Error ? error.message : words.rejected })
      reject(error)
    }
    request.open(operation.method, addressOf(operation, query))
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
