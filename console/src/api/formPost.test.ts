// @vitest-environment happy-dom
import { expect, it, vi } from 'vitest'
import { postForm } from './formPost'
import { operation } from './operation'
import { dropToken, keepToken } from './session'

it('carries the token in the body and in the query, to an absolute address', () => {
  const submit = vi.spyOn(HTMLFormElement.prototype, 'submit').mockImplementation(function (this: HTMLFormElement) {
    expect(this.action).toMatch(/^https?:\/\/.+\/admin\/apis\/x\/export\?schoolId=7&token=h\.p\.s$/)
    const fields = [...this.querySelectorAll('input')].map(({ name, value }) => [name, value])
    expect(fields).toEqual([
      ['token', 'h.p.s'],
      ['body', '{"status":"active"}'],
    ])
  })
  keepToken('h.p.s')
  const meta = {
    id: 'exportX',
    title: '',
    permission: 'public',
    area: 'both',
    writes: false,
    fields: {},
    columns: {},
  } as const
  postForm(
    { ...operation<'listSchools'>({ ...meta, method: 'POST', path: '/x/export' }) },
    {
      query: { schoolId: 7 },
      body: { status: 'active' },
    },
  )
  expect(submit).toHaveBeenCalledOnce()
  dropToken()
})
