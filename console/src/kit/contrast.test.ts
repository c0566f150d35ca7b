import { expect, it } from 'vitest'
import { contrast, isColour, READABLE, readableOnLight, readableUnderWhite } from './contrast'

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

it('darkens words that cannot be read on the chosen entry of the menu', () => {
  expect(readableOnLight('#165dff')).toBe('#165dff')
  // Readable on white, and not there.
  expect(contrast('#b95900', '#ffffff')).toBeGreaterThanOrEqual(READABLE)
  expect(contrast('#b95900', '#f2f3f5')).toBeLessThan(READABLE)
  for (const brand of ['#b95900', '#ff7d00', '#fadc19']) {
    expect(contrast(readableOnLight(brand), '#f2f3f5'), brand).toBeGreaterThanOrEqual(READABLE)
  }
})

it('knows a colour', () => {
  expect(isColour('#FF7D00')).toBe(true)
  expect(isColour('red')).toBe(false)
  expect(isColour(null)).toBe(false)
})
