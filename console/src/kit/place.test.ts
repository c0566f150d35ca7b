// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { goBack, placeNow } from './place'

const row = (id: number, button: string) =>
  `<div data-row="${id}"><button class="row-name">${id}</button><button id="${button}${id}">${button}</button></div>`
const list = () => document.querySelector('.table-box') as HTMLElement
const show = (...rows: string[]) => {
  list().innerHTML = rows.join('')
}
const focused = () => document.activeElement?.textContent

beforeEach(() => {
  vi.useFakeTimers()
  document.body.innerHTML = '<div class="table-box"></div>'
  show(row(1, 'report'), row(2, 'report'), row(3, 'report'))
  document.getElementById('report2')?.focus()
})
afterEach(() => vi.useRealTimers())

it('goes back to the button, and to the name of the row when the button is gone with a later reading', () => {
  const place = placeNow()
  document.getElementById('report3')?.focus()
  if (place) goBack(place)
  vi.advanceTimersByTime(1)
  expect(document.activeElement?.id).toBe('report2')
  show(row(1, 'report'), row(2, 'print'), row(3, 'report'))
  vi.advanceTimersByTime(300)
  expect(focused()).toBe('2')
})

it('stands by the row that took the place of one that is gone', () => {
  const place = placeNow()
  show(row(1, 'report'), row(3, 'report'))
  if (place) goBack(place)
  vi.advanceTimersByTime(1)
  expect(focused()).toBe('3')
})

it('leaves the keyboard alone where a person has moved it', () => {
  const place = placeNow()
  if (place) goBack(place)
  vi.advanceTimersByTime(1)
  document.getElementById('report1')?.focus()
  vi.advanceTimersByTime(300)
  show(row(3, 'report'))
  vi.advanceTimersByTime(3000)
  expect(document.activeElement).toBe(document.body)
})
