import { ApiError, words } from './errors'

/** Bytes on their way to a store: sent with progress, tried again while the network is at fault, broken off at will. */

/** Between two tries of a transfer that the network broke off. */
const PAUSES_MS = [1_000, 3_000, 10_000]

/** Waits, unless it is broken off. */
export const wait = (ms: number, signal?: AbortSignal) =>
  new Promise<void>((done, reject) => {
    signal?.throwIfAborted()
    const timer = setTimeout(done, ms)
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    signal?.addEventListener('abort', stop, { once: true })
  })

export interface Sending {
  headers?: Readonly<Record<string, string>>
  /** How many bytes have left. */
  onSent?: (bytes: number) => void
  signal?: AbortSignal
}

/** Sends the bytes. Status 0 is a network problem, any other failing status a refusal (01 §4.3). */
export const put = (url: string, bytes: Blob, { headers = {}, onSent, signal }: Sending) =>
  new Promise<void>((resolve, reject) => {
    signal?.throwIfAborted()
    const request = new XMLHttpRequest()
    const stop = () => request.abort()
    signal?.addEventListener('abort', stop, { once: true })
    request.open('PUT', url)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.onprogress = ({ loaded }) => onSent?.(loaded)
    request.onloadend = () => {
      signal?.removeEventListener('abort', stop)
      if (signal?.aborted) reject(signal.reason)
      else if (request.status === 0) reject(new ApiError(0, words.network))
      else if (request.status >= 200 && request.status < 300) resolve()
      else reject(new ApiError(request.status, '文件上传失败，请重新上传'))
    }
    request.send(bytes)
  })

/** Tries again after a network problem, with longer and longer pauses; a refusal is final. */
export const withRetries = async <T>(send: () => Promise<T>, pause: (ms: number) => Promise<unknown> = wait) => {
  for (const ms of PAUSES_MS) {
    try {
      return await send()
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 0) throw error
      await pause(ms)
    }
  }
  return send()
}
