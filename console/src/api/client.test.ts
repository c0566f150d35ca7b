// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

const shown: string[] = []
vi.mock('@arco-design/web-react', () => {
  const note = ({ content }: { content: string }) => shown.push(content)
  return { Message: { error: note, warning: note, success: note } }
})

const { addressOf, call, callOf, ofSchool, reactions, request, requestOf, timeoutOf } = await import('./client')
const { download, fileNameOf } = await import('./files')
const { fieldErrors } = await import('./errors')
const { dropToken, keepToken, readToken } = await import('./session')
const { operation } = await import('./operation')

const meta = { title: '', permission: 'public', area: 'both', writes: false, fields: {}, columns: {} } as const
const save = operation<'saveSchool'>({ ...meta, id: 'saveSchool', method: 'POST', path: '/system/pc/sys/school/save' })
const list = operation<'listOwnPermissions'>({ ...meta, id: 'listOwnPermissions', method: 'GET', path: '/x/list' })
const exporting = { ...meta, id: 'exportX', method: 'POST', path: '/x/export' } as const

const answer = (body: unknown, type = 'application/json') =>
  new Response(typeof body === 'string' ? body : JSON.stringify(body), { headers: { 'Content-Type': type } })
const answering = (body: unknown) =>
  vi.stubGlobal(
    'fetch',
    vi.fn<typeof fetch>(async () => answer(body)),
  )
const school = { code: '10589', name: '海南大学', status: 'trial' } as const

describe('a page that is left alone', () => {
  afterEach(() => vi.useRealTimers())

  it('says so of what it reads, until somebody moves', async () => {
    vi.useFakeTimers()
    answering({ code: 200, msg: '成功', data: [] })
    const alone = async (asked: () => Promise<unknown>) => {
      await asked()
      return new Headers(vi.mocked(fetch).mock.lastCall?.[1]?.headers).has('X-Unattended')
    }
    dispatchEvent(new Event('keydown'))
    await expect(alone(() => call(list))).resolves.toBe(false)
    vi.advanceTimersByTime(121_000)
    await expect(alone(() => call(list))).resolves.toBe(true)
    await expect(alone(() => request({ ...save, writes: true }, { body: school }))).resolves.toBe(false)
    dispatchEvent(new Event('pointermove'))
    await expect(alone(() => call(list))).resolves.toBe(false)
  })
})

beforeEach(() => {
  shown.length = 0
  sessionStorage.clear()
})
afterEach(() => vi.unstubAllGlobals())

describe('the envelope', () => {
  it('opens 200 and 1', async () => {
    answering({ code: 200, msg: '成功', data: ['a'] })
    await expect(call(list)).resolves.toEqual(['a'])
    answering({ code: 1, msg: '成功', data: ['b'] })
    await expect(call(list)).resolves.toEqual(['b'])
    expect(shown).toEqual([])
  })

  it('sends the filters of a list that is asked for by GET in the query, and no body', async () => {
    answering({ code: 200, msg: '成功', data: { list: [] } })
    const page = { ...meta, id: 'listX', method: 'GET', path: '/x/selectPageList' } as const
    await request(page, { body: { pageCurrent: 2, realName: '王', phone: undefined } })
    const [address, init] = vi.mocked(fetch).mock.calls[0] ?? []
    expect(String(address)).toMatch(/\/x\/selectPageList\?pageCurrent=2&realName=%E7%8E%8B$/)
    expect(init?.body).toBeUndefined()
  })

  it('carries the school that an operator means to the operations that ask for one, and to no other', async () => {
    answering({ code: 200, msg: '成功', data: { list: [] } })
    const named = { ...meta, id: 'listX', method: 'POST', path: '/x/list', names: true } as const
    const other = { ...meta, id: 'listY', method: 'POST', path: '/y/list' } as const
    await requestOf(7)(named, { query: { asOf: 'T' }, body: {} })
    await callOf(7)(named)
    await requestOf(7)(other, { body: {} })
    await requestOf(undefined)(named, { body: {} })
    await call(named)
    const asked = vi.mocked(fetch).mock.calls.map(([address]) => String(address).replace(/^.*\/admin\/apis/, ''))
    expect(asked).toEqual(['/x/list?asOf=T&schoolId=7', '/x/list?schoolId=7', '/y/list', '/x/list', '/x/list'])
    expect(ofSchool(7, exporting, { body: 1 })).toEqual({ body: 1 })
  })

  it('refuses code 1 to options, with its msg', async () => {
    answering({ code: 1, msg: '枚举不存在', data: null })
    await expect(request(list, {}, { strictly: true })).rejects.toThrow('枚举不存在')
  })

  it('shows the msg of any other code, and Error and 请稍后再试 when there is none', async () => {
    answering({ code: 409, msg: '院校代码已存在', data: null })
    await expect(call(list)).rejects.toThrow('院校代码已存在')
    answering({ code: 500, msg: '', data: null })
    await expect(call(list)).rejects.toThrow('请稍后再试')
    expect(shown).toEqual(['院校代码已存在', 'Error'])
  })

  it('hands the fields of a 422 to the form', async () => {
    answering({ code: 422, msg: '院校名称已存在', data: [{ field: 'name', message: '院校名称已存在' }, 'noise'] })
    const error: unknown = await call(list).catch((cause: unknown) => cause)
    expect(fieldErrors(error)).toEqual([{ field: 'name', message: '院校名称已存在' }])
  })

  it('says so when the network fails', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
    await expect(call(list)).rejects.toThrow('网络连接失败，请检查网络后重试')
    expect(shown).toEqual(['网络连接失败，请检查网络后重试'])
  })

  it('leaves a refusal to the caller who asked for it', async () => {
    answering({ code: 409, msg: '登录校验已失效，请重试', data: null })
    await expect(request(list, {}, { quiet: ({ code }) => code === 409 })).rejects.toThrow()
    expect(shown).toEqual([])
  })
})

it('ends the session once when five calls are refused together', async () => {
  const reload = vi.spyOn(location, 'reload').mockImplementation(() => {})
  answering({ code: 302, msg: '登录已过期，请重新登录', data: null })
  await Promise.allSettled(Array.from({ length: 5 }, () => call(list)))
  expect(reload).toHaveBeenCalledTimes(1)
  // The one message is read after the reload.
  expect(shown).toEqual([])
  expect(sessionStorage.getItem('notice')).toContain('登录已过期，请重新登录')
})

/** A token as the server signs it; `act` is the operator behind an entry. */
const tokenOf = (claims: object) => `h.${btoa(JSON.stringify(claims))}.s`
const past = Math.floor(Date.now() / 1000) - 60

it('keeps the token of an entry beyond its time, for the way back, and no other', () => {
  keepToken(tokenOf({ sub: 1, area: 'platform', exp: past }))
  expect(readToken()).toBeUndefined()
  keepToken(tokenOf({ sub: 1, area: 'school', schoolId: 3, act: { sub: 1, name: 'A' }, exp: past }))
  expect(readToken()).toBeDefined()
  dropToken()
})

it('goes back to the platform when the time of an entry is over', async () => {
  const back = vi.spyOn(reactions, 'entryOver').mockImplementation(() => {})
  keepToken(tokenOf({ sub: 1, area: 'school', schoolId: 3, act: { sub: 1, name: 'A' }, exp: past }))
  answering({ code: 302, msg: '登录已过期，请重新登录', data: null })
  await expect(call(list)).rejects.toThrow()
  expect(back).toHaveBeenCalledTimes(1)
  expect(readToken()).toBeDefined()
  dropToken()
})

describe('exports', () => {
  const failing = async (text: string) => {
    vi.stubGlobal('fetch', async () => answer(text, 'text/plain'))
    await download(exporting, {}, 'x.xlsx').catch(() => {})
    return shown.at(-1)
  }
  it('says what went wrong instead of saving text', async () => {
    expect(await failing('{"code":999}')).toBe('导出失败')
    expect(await failing('{"code":999,"msg":"行数过多"}')).toBe('行数过多')
    expect(await failing('gateway error')).toBe('导出失败，请稍后重试')
  })
  it('takes the Chinese name of the server', () => {
    expect(fileNameOf('attachment; filename="x.xlsx"; filename*=UTF-8\'\'%E9%99%A2%E6%A0%A1.xlsx')).toBe('院校.xlsx')
    expect(fileNameOf('attachment; filename="x.xlsx"')).toBe('x.xlsx')
    expect(fileNameOf(null)).toBeUndefined()
  })
})

describe('requests', () => {
  it('stand below the console’s root, wherever the page is', () => {
    expect(addressOf(list, { id: 3, none: undefined }, 'https://x.cn/console/')).toBe(
      'https://x.cn/console/admin/apis/x/list?id=3',
    )
    expect(addressOf({ ...list, path: '/enum/list/{type}' }, { type: 'a b' }, 'https://x.cn/')).toBe(
      'https://x.cn/admin/apis/enum/list/a%20b',
    )
  })
  it('wait a minute, or half an hour for files', () => {
    expect(timeoutOf('/x/list', {})).toBe(60_000)
    expect(timeoutOf('/x/export', {})).toBe(1_800_000)
    expect(timeoutOf('/x/download', {})).toBe(1_800_000)
    expect(timeoutOf('/x/upload/complete', {})).toBe(1_800_000)
    expect(timeoutOf('/x/import', new FormData())).toBe(1_800_000)
  })
  it('carry one key for a save until it is answered', async () => {
    const keys: (string | null)[] = []
    let fails = true
    vi.stubGlobal('fetch', async (_: string, init: { headers: Headers }) => {
      keys.push(init.headers.get('Idempotency-Key'))
      if (fails) throw new TypeError('Failed to fetch')
      return answer({ code: 200, msg: '', data: { id: 1 } })
    })
    await call(save, { body: school }).catch(() => {})
    fails = false
    await call(save, { body: school })
    await call(save, { body: school })
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
    expect(keys[1]).toBe(keys[0])
    expect(keys[2]).not.toBe(keys[0])
  })
})
