import type { Requester } from './client'
import { ApiError } from './errors'
import { listUploadParts } from './infra'
import { claimsOf, readToken } from './session'
import { put, wait, withRetries } from './transfer'
import type { UploadParts } from './types/infra'

/**
 * Large files in parts: three on their way at once, each tried again by itself, and after a break only those are sent that
 * have not arrived. The server knows which they are; the browser remembers under which key a file was begun.
 */

export type Parts = UploadParts

const PARTS_AT_ONCE = 3

/** The bytes of a part, numbered from 1. */
export const rangeOf = (number: number, partSize: number, size: number) => {
  const start = (number - 1) * partSize
  return { start, end: Math.min(start + partSize, size) }
}

/** How much of a file has arrived, as whole percents that never say more than there is. */
export const percentOf = (bytes: number, size: number) => (size > 0 ? Math.floor((bytes / size) * 100) : 0)

export const arrivedBytes = ({ arrived }: Parts) => arrived.reduce((sum, { size }) => sum + size, 0)

interface Transfer {
  /** Asks which parts are missing, and for addresses of the next ones. */
  ask: () => Promise<Parts>
  /** How many bytes of the file have left so far. */
  onSent: (bytes: number) => void
  signal?: AbortSignal
  send?: typeof put
  pause?: (ms: number) => Promise<unknown>
}

/** Sends the parts of a file that are missing. One that fails for good stops the others. */
export const sendParts = async (file: Blob, begun: Parts, { ask, onSent, signal, send = put, pause }: Transfer) => {
  const { partSize, partCount } = begun
  const numbers = Array.from({ length: partCount }, (_, at) => at + 1)
  const sizeOf = (number: number) => {
    const { start, end } = rangeOf(number, partSize, file.size)
    return end - start
  }
  const arrived = new Set<number>()
  /** Bytes of the parts on their way. */
  const leaving = new Map<number, number>()
  let addresses = new Map<number, string>()
  let asked: Promise<void> | undefined

  const learn = (parts: Parts) => {
    for (const { number } of parts.arrived) arrived.add(number)
    addresses = new Map(parts.missing.map(({ number, url }) => [number, url]))
  }
  const askOnce = () => {
    asked ??= ask()
      .then(learn)
      .finally(() => {
        asked = undefined
      })
    return asked
  }
  const tell = () => {
    let bytes = 0
    for (const number of arrived) bytes += sizeOf(number)
    for (const [number, sent] of leaving) if (!arrived.has(number)) bytes += Math.min(sent, sizeOf(number))
    onSent(bytes)
  }

  /** None when the part has arrived after all. An answer that was under way may know too little, so it is asked twice. */
  const addressOf = async (number: number) => {
    for (let tries = 0; tries < 2 && !arrived.has(number) && !addresses.has(number); tries += 1) await askOnce()
    if (arrived.has(number)) return undefined
    const address = addresses.get(number)
    if (address === undefined) throw new ApiError(404, '文件上传失败，请重新上传')
    return address
  }

  const stop = new AbortController()
  const stopped = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal
  const rest = pause ?? ((ms: number) => wait(ms, stopped))

  const sendPart = async (number: number) => {
    const { start, end } = rangeOf(number, partSize, file.size)
    let refusals = 0
    const attempt = async (): Promise<void> => {
      stopped.throwIfAborted()
      const address = await addressOf(number)
      if (address === undefined) return
      try {
        await send(address, file.slice(start, end), {
          signal: stopped,
          onSent: (bytes) => {
            leaving.set(number, bytes)
            tell()
          },
        })
      } catch (error) {
        // An address lives a quarter of an hour, and those that came with it no longer.
        addresses = new Map()
        leaving.set(number, 0)
        if (!(error instanceof ApiError) || error.code === 0 || refusals > 0) throw error
        refusals += 1
        return attempt()
      }
    }
    await withRetries(attempt, rest)
  }

  const work = async () => {
    const next = () => numbers.find((number) => !arrived.has(number) && !leaving.has(number))
    for (let number = next(); number !== undefined; number = next()) {
      leaving.set(number, 0)
      await sendPart(number)
      arrived.add(number)
      leaving.delete(number)
      tell()
    }
  }

  learn(begun)
  tell()
  try {
    await Promise.all(Array.from({ length: PARTS_AT_ONCE }, work))
  } catch (error) {
    stop.abort()
    throw error
  }
}

/** What was begun by this person and not completed: the key of each file. The server forgets it after a day, so does this. */
const FORGOTTEN_MS = 24 * 3600 * 1000

interface Remembered {
  key: string
  at: number
}

const storageKey = () => {
  const claims = claimsOf(readToken() ?? '')
  return `uploads.${claims?.sub}.${claims?.schoolId}`
}

const isRemembered = (value: unknown): value is Remembered =>
  typeof value === 'object' &&
  value !== null &&
  'key' in value &&
  typeof value.key === 'string' &&
  'at' in value &&
  typeof value.at === 'number'

const readRemembered = (): Record<string, Remembered> => {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(storageKey()) ?? '{}')
    const fresh = Object.entries(kept ?? {}).filter(
      (entry): entry is [string, Remembered] => isRemembered(entry[1]) && Date.now() - entry[1].at < FORGOTTEN_MS,
    )
    return Object.fromEntries(fresh)
  } catch {
    return {}
  }
}

const writeRemembered = (remembered: Record<string, Remembered>) => {
  if (Object.keys(remembered).length === 0) localStorage.removeItem(storageKey())
  else localStorage.setItem(storageKey(), JSON.stringify(remembered))
}

/** A file as the browser knows it again: what it is called, how large and how old it is, and what it is for. */
export const nameOf = ({ name, size, lastModified }: File, purpose: string) =>
  [name, size, lastModified, purpose].join('|')

export const remember = (name: string, key: string) =>
  writeRemembered({ ...readRemembered(), [name]: { key, at: Date.now() } })

export const forgetUpload = (name: string) => {
  const others = Object.entries(readRemembered()).filter(([other]) => other !== name)
  writeRemembered(Object.fromEntries(others))
}

export const rememberedKey = (name: string): string | undefined => readRemembered()[name]?.key

/** It was swept away, belongs to another school, or is complete. */
const isGone = ({ code }: ApiError) => code === 404 || code === 409

/** Asks how far an upload is. That it is gone is the caller's to say. */
export const askParts = (request: Requester, key: string, signal?: AbortSignal): Promise<Parts> =>
  request(listUploadParts, { body: { key } }, { quiet: isGone, signal })

/** How far the upload is that was begun earlier; none when there is nothing to go on with. */
export const findBegun = async (request: Requester, name: string, signal?: AbortSignal) => {
  const key = rememberedKey(name)
  if (!key) return undefined
  try {
    return { key, parts: await askParts(request, key, signal) }
  } catch (error) {
    if (!(error instanceof ApiError) || !isGone(error)) throw error
    forgetUpload(name)
    return undefined
  }
}
