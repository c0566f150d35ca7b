import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { screens } from './routes'

it('shipped_routes.txt names exactly the screens that exist', () => {
  const shipped = readFileSync('shipped_routes.txt', 'utf8').trim().split('\n')
  expect(shipped).toEqual(screens.map(({ path }) => path).sort())
})
