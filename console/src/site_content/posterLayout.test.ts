import { expect, it } from 'vitest'
import { isInside, isText, NEW_CODE, newElement, placeOf } from './posterLayout'

it('puts an element at its place on a smaller preview', () => {
  expect(placeOf({ ...NEW_CODE, x: 75, y: 150 }, 250)).toEqual({
    left: 25,
    top: 50,
    width: 66.7,
    height: 66.7,
    fontSize: 9.3,
    color: undefined,
  })
})

it('knows what reaches beyond the picture', () => {
  expect(isInside({ ...NEW_CODE, x: 550 })).toBe(true)
  expect(isInside({ ...NEW_CODE, x: 551 })).toBe(false)
  expect(isInside({ ...NEW_CODE, y: 1135 })).toBe(false)
})

it('begins words with a colour and a size, pictures without', () => {
  expect(isText(newElement('title'))).toBe(true)
  expect(newElement('title').size).toBe(40)
  expect(newElement('avatar').color).toBeUndefined()
  expect(isInside(newElement('title')) && isInside(newElement('cover'))).toBe(true)
})
