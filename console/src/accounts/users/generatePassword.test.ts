import { expect, it } from 'vitest'
import { generatePassword } from './generatePassword'

it('makes twelve characters of four kinds, another each time', () => {
  const made = Array.from({ length: 50 }, generatePassword)
  expect(new Set(made).size).toBe(50)
  for (const password of made) {
    expect(password).toHaveLength(12)
    for (const kind of [/[A-Z]/, /[a-z]/, /[0-9]/, /[@#%*\-_+=]/]) expect(password).toMatch(kind)
    expect(password).not.toMatch(/[0O1lI]/)
  }
})
