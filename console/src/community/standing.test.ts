import { expect, it } from 'vitest'
import { badgeOf, shortened } from './standing'

it('names a text by its beginning', () => {
  expect(shortened('专升本备考经验')).toBe('专升本备考经验')
  expect(shortened('十二个字的标题不会被截断')).toBe('十二个字的标题不会被截断')
  expect(shortened('十三个字的标题总是会被截断')).toBe('十三个字的标题总是会被截…')
  // What a sign is made of is not taken apart.
  expect(shortened('😀'.repeat(13))).toBe(`${'😀'.repeat(12)}…`)
})

it('shows a badge while a certificate lasts', () => {
  expect(badgeOf({ auditStatus: 'approved', badge: true })?.words).toBe('展示中')
  expect(badgeOf({ auditStatus: 'approved', badge: false })?.words).toBe('已过期')
  expect(badgeOf({ auditStatus: 'pending', badge: false })).toBeUndefined()
  expect(badgeOf({ auditStatus: 'revoked', badge: false })).toBeUndefined()
})
