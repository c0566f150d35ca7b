import { expect, it } from 'vitest'
import { partsOf } from './marks'

it('cuts a text at its hits, counting characters as the server does', () => {
  const parts = partsOf('𝒶远离赌 博，好', [{ start: 3, end: 6 }])
  expect(parts.map(({ text, hit }) => [text, Boolean(hit)])).toEqual([
    ['𝒶远离', false],
    ['赌 博', true],
    ['，好', false],
  ])
  expect(partsOf('好', [])).toEqual([{ text: '好', at: 0 }])
  expect(partsOf('', [])).toEqual([])
})
