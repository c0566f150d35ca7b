// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Requester } from './client'
import { ApiError } from './errors'
import {
  arrivedBytes,
  findBegun,
  forgetUpload,
  nameOf,
  type Parts,
  percentOf,
  rangeOf,
  remember,
  rememberedKey,
  sendParts,
} from './partUpload'
import type { Sending } from './transfer'

const PART = 4
const CONTENT = '0123456789'.repeat(3)
const file = new File([CONTENT], 'a.pdf', { lastModified: 7 })
const all = [1, 2, 3, 4, 5, 6, 7, 8]
const allBut = (number: number) => all.filter((other) => other !== number)
const textOf = (number: number) => CONTENT.slice((number - 1) * PART, number * PART)

/** A store of thirty bytes in eight parts; it gives four addresses at a time, which become old. */
const store = (before: readonly number[] = []) => {
  const arrived = new Set(before)
  let age = 0
  const ask = vi.fn(async (): Promise<Parts> => {
    age += 1
    const part = (number: number) => ({ number, size: textOf(number).length })
    return {
      partSize: PART,
      partCount: all.length,
      arrived: all.filter((number) => arrived.has(number)).map(part),
      missing: all
        .filter((number) => !arrived.has(number))
        .slice(0, 4)
        .map((number) => ({ ...part(number), url: `${number}@${age}` })),
      method: 'PUT',
      expiresAt: '2026-11-22T08:00:00+08:00',
    }
  })
  return { arrived, ask }
}

const pause = async () => {}

describe('the parts of a file', () => {
  it('lie one after the other, and the last is what is left', () => {
    expect([1, 2, 3].map((number) => rangeOf(number, PART, 10))).toEqual([
      { start: 0, end: 4 },
      { start: 4, end: 8 },
      { start: 8, end: 10 },
    ])
  })
  it('never make more percents than there are', () => {
    expect([percentOf(0, 10), percentOf(999, 1000), percentOf(10, 10), percentOf(0, 0)]).toEqual([0, 99, 100, 0])
  })
})

describe('sending in parts', () => {
  const sendTo = (kept: ReturnType<typeof store>, broken: (url: string) => ApiError | undefined = () => undefined) => {
    const sent: string[] = []
    const send = vi.fn(async (url: string, bytes: Blob, { onSent }: Sending) => {
      const fault = broken(url)
      if (fault) throw fault
      onSent?.(bytes.size)
      const number = Number(url.split('@')[0])
      sent.push(`${number}:${await bytes.text()}`)
      kept.arrived.add(number)
    })
    return { send, sent }
  }

  it('sends each part once and tells the whole', async () => {
    const kept = store()
    const { send, sent } = sendTo(kept)
    const told: number[] = []
    await sendParts(file, await kept.ask(), { ask: kept.ask, onSent: (bytes) => told.push(bytes), send, pause })
    expect(sent.sort()).toEqual(all.map((number) => `${number}:${textOf(number)}`))
    expect([told[0], told.at(-1)]).toEqual([0, 30])
    expect(Math.max(...told)).toBe(30)
  })

  it('sends only what is missing', async () => {
    const kept = store(allBut(7))
    const { send, sent } = sendTo(kept)
    const told: number[] = []
    const begun = await kept.ask()
    expect(arrivedBytes(begun)).toBe(26)
    await sendParts(file, begun, { ask: kept.ask, onSent: (bytes) => told.push(bytes), send, pause })
    expect(sent).toEqual(['7:4567'])
    expect([told[0], told.at(-1)]).toEqual([26, 30])
  })

  it('tries a part again with a fresh address after a broken network, and once after a refusal', async () => {
    for (const code of [0, 403]) {
      const kept = store(allBut(7))
      const { send, sent } = sendTo(kept, (url) => (url === '7@1' ? new ApiError(code, '失败') : undefined))
      await sendParts(file, await kept.ask(), { ask: kept.ask, onSent: () => {}, send, pause })
      expect(sent).toEqual(['7:4567'])
      expect(send.mock.calls.map(([url]) => url)).toEqual(['7@1', '7@2'])
    }
  })

  it('does not send again what arrived though its answer was lost', async () => {
    const kept = store(allBut(7))
    const { send, sent } = sendTo(kept, () => {
      kept.arrived.add(7)
      return new ApiError(0, '网络异常')
    })
    await sendParts(file, await kept.ask(), { ask: kept.ask, onSent: () => {}, send, pause })
    expect([sent.length, send.mock.calls.length]).toEqual([0, 1])
  })

  it('a part that fails for good stops the others', async () => {
    const kept = store()
    const signals: (AbortSignal | undefined)[] = []
    const send = vi.fn((url: string, _: Blob, { signal }: Sending): Promise<void> => {
      signals.push(signal)
      if (url.startsWith('1@')) return Promise.reject(new ApiError(403, '没有权限'))
      return new Promise<void>((_done, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
    })
    const sending = sendParts(file, await kept.ask(), { ask: kept.ask, onSent: () => {}, send, pause })
    await expect(sending).rejects.toThrow('没有权限')
    expect(signals.every((signal) => signal?.aborted)).toBe(true)
  })

  it('ends when it is paused', async () => {
    const kept = store()
    const control = new AbortController()
    const { send } = sendTo(kept)
    control.abort()
    const { signal } = control
    const sending = sendParts(file, await kept.ask(), { ask: kept.ask, onSent: () => {}, send, pause, signal })
    await expect(sending).rejects.toBe(signal.reason)
    expect(send).not.toHaveBeenCalled()
  })
})

describe('what was begun', () => {
  beforeEach(() => localStorage.clear())
  const name = nameOf(file, '3.')
  const answering = (answer: () => Promise<unknown>) => (() => answer()) as unknown as Requester

  it('is known by the file, for a day', () => {
    remember(name, 'private/s1/a.pdf')
    expect(rememberedKey(name)).toBe('private/s1/a.pdf')
    expect(rememberedKey(nameOf(new File(['0'], 'a.pdf', { lastModified: 7 }), '3.'))).toBeUndefined()
    expect(rememberedKey(nameOf(new File([CONTENT], 'a.pdf', { lastModified: 8 }), '3.'))).toBeUndefined()
    const now = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 24 * 3600 * 1000)
    expect(rememberedKey(name)).toBeUndefined()
    now.mockRestore()
    forgetUpload(name)
    expect(localStorage.length).toBe(0)
  })

  it('is forgotten when the server has it no more, and kept when the network is at fault', async () => {
    const failing = (code: number) => answering(() => Promise.reject(new ApiError(code, '失败')))
    expect(await findBegun(failing(404), name)).toBeUndefined()
    remember(name, 'private/s1/a.pdf')
    await expect(findBegun(failing(0), name)).rejects.toThrow('失败')
    expect(rememberedKey(name)).toBe('private/s1/a.pdf')
    const parts = await store([1]).ask()
    expect(
      await findBegun(
        answering(async () => parts),
        name,
      ),
    ).toEqual({ key: 'private/s1/a.pdf', parts })
    expect(await findBegun(failing(409), name)).toBeUndefined()
    expect(rememberedKey(name)).toBeUndefined()
  })

  it('broken storage is as good as none', () => {
    remember(name, 'k')
    const key = localStorage.key(0) ?? ''
    localStorage.setItem(key, '{"x":1,"y":{"key":2}}')
    expect(rememberedKey('x')).toBeUndefined()
    localStorage.setItem(key, 'not json')
    expect(rememberedKey(name)).toBeUndefined()
  })
})
