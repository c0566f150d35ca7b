import { expect, it } from 'vitest'
import { ApiError } from './errors'
import { wait, withRetries } from './transfer'

const pauses: number[] = []
const pause = async (ms: number) => {
  pauses.push(ms)
}

it('a broken transfer is tried again, with longer and longer pauses', async () => {
  pauses.length = 0
  let tries = 0
  const send = async () => {
    tries += 1
    if (tries < 3) throw new ApiError(0, '网络异常')
    return 'sent'
  }
  expect(await withRetries(send, pause)).toBe('sent')
  expect(pauses).toEqual([1000, 3000])
})

it('gives up after the last try, and at once when it is refused', async () => {
  pauses.length = 0
  let tries = 0
  const fail = (code: number) => async () => {
    tries += 1
    throw new ApiError(code, '失败')
  }
  await expect(withRetries(fail(0), pause)).rejects.toThrow('失败')
  expect(tries).toBe(4)
  tries = 0
  await expect(withRetries(fail(403), pause)).rejects.toThrow('失败')
  expect(tries).toBe(1)
})

it('waiting ends when it is broken off', async () => {
  const control = new AbortController()
  const waiting = wait(60_000, control.signal)
  control.abort()
  await expect(waiting).rejects.toBe(control.signal.reason)
  await expect(wait(60_000, control.signal)).rejects.toBe(control.signal.reason)
})
