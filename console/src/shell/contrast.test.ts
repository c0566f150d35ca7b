import { expect, it } from 'vitest'
import { contrast, isColour, READABLE, readableUnderWhite } from './contrast'

it('measures contrast', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21)
  expect(contrast('#ff7d00', '#ffffff')).toBeCloseTo(2.58, 1)
})

it('darkens what white words cannot be read on', () => {
  expect(readableUnderWhite('#165dff')).toBe('#165dff')
  for (const brand of ['#ff7d00', '#14c9c9', '#fadc19', '#ffffff']) {
    expect(contrast(readableUnderWhite(brand), '#ffffff'), brand).toBeGreaterThanOrEqual(READABLE)
  }
})

it('knows a colour', () => {
  expect(isColour('#FF7D00')).toBe(true)
  expect(isColour('red')).toBe(false)
  expect(isColour(null)).toBe(false)
})
