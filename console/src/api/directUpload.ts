import type { Caller, Requester } from './client'
import { ApiError, isSessionEnd, tellError, words } from './errors'
import { UploadState, type UploadStep } from './files'
import { completeUpload, presignUpload } from './infra'
import {
  arrivedBytes,
  askParts,
  findBegun,
  forgetUpload,
  nameOf,
  type Parts,
  percentOf,
  remember,
  sendParts,
} from './partUpload'
import { put, withRetries } from './transfer'

/**
 * Files that go straight to the store: asked for, sent, confirmed. Only the middle part is large, and only it is tried
 * again. A large file goes in parts; what broke off, also with the browser, goes on where it stopped.
 */

/** What a file is for; the server knows the kinds of files that each purpose takes. */
export interface Purpose {
  /** 1 图片, 2 公开附件, 3 私有附件 */
  type: 1 | 2 | 3
  purpose?: string
}

/** The ways to the server, for the data that the page shows. */
interface Ways {
  call: Caller
  request: Requester
}

const isHeaders = (headers: unknown): headers is Record<string, string> =>
  typeof headers === 'object' && headers !== null && Object.values(headers).every((each) => typeof each === 'string')

/** Uploads a file and answers what the server keeps of it. Every failure was shown to the person when this throws. */
export const uploadDirectly = async (
  file: File,
  { type, purpose }: Purpose,
  onStep: (step: UploadStep) => void,
  { call, request }: Ways,
  signal?: AbortSignal,
) => {
  const name = nameOf(file, `${type}.${purpose ?? ''}`)
  let shown: Pick<Extract<UploadStep, { percent: number }>, 'note' | 'resumable'> = {}
  const onSent = (bytes: number) => {
    if (signal?.aborted) return
    onStep({ state: UploadState.progress, percent: percentOf(bytes, file.size), ...shown })
  }

  const sendInParts = async (key: string, parts: Parts) => {
    const percent = percentOf(arrivedBytes(parts), file.size)
    shown = { resumable: true, note: percent > 0 ? `已上传的${percent}%将继续上传` : undefined }
    await sendParts(file, parts, { ask: () => askParts(request, key, signal), onSent, signal })
    return key
  }

  /** Sends the bytes and answers their key. */
  const send = async () => {
    const begun = await findBegun(request, name, signal)
    if (begun) return sendInParts(begun.key, begun.parts)
    const contentType = file.type || 'application/octet-stream'
    const ticket = await call(presignUpload, {
      body: { fileName: file.name, size: file.size, contentType, type, purpose },
    })
    if (ticket.partSize) {
      remember(name, ticket.key)
      return sendInParts(ticket.key, await askParts(request, ticket.key, signal))
    }
    const headers = isHeaders(ticket.headers) ? ticket.headers : {}
    await withRetries(() => put(ticket.url, file, { headers, onSent, signal }))
    return ticket.key
  }

  onSent(0)
  try {
    const key = await send()
    const stored = await call(completeUpload, { body: { key } })
    forgetUpload(name)
    return stored
  } catch (error) {
    // Whoever broke it off knows.
    if (signal?.aborted) throw error
    const isNetwork = error instanceof ApiError && error.code === 0
    const message = error instanceof Error ? error.message : words.rejected
    // The end of a session is told where it leads.
    if (!(error instanceof ApiError && isSessionEnd(error.code))) tellError(message)
    onStep({ state: isNetwork ? UploadState.network : UploadState.failure, message })
    throw error
  }
}
