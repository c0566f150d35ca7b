import { expect, it } from 'vitest'
import { withZone } from './moments'

it('gives a picked time the product’s zone and leaves what came from the server', () => {
  const values = { beginsAt: '2026-11-21 10:00:00', endsAt: '2026-11-21T12:00:00+08:00', title: '2026-11-21 10:00:00' }
  expect(withZone(values, ['beginsAt', 'endsAt'])).toEqual({
    beginsAt: '2026-11-21T10:00:00+08:00',
    endsAt: '2026-11-21T12:00:00+08:00',
    title: '2026-11-21 10:00:00',
  })
})
