// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it } from 'vitest'
import { tellCutTexts } from './cutTexts'

let leave = () => {}
beforeEach(() => {
  leave = tellCutTexts()
})
afterEach(() => {
  leave()
  document.body.innerHTML = ''
})

/** An element whose text needs that much of a hundred pixels. */
const put = (html: string, width: number) => {
  document.body.innerHTML = html
  const element = document.body.querySelector<HTMLElement>('.row-name, .arco-table-cell-text-ellipsis')
  if (!element) throw new Error('nothing was put')
  Object.defineProperty(element, 'clientWidth', { value: 100 })
  Object.defineProperty(element, 'scrollWidth', { value: width, configurable: true })
  return element
}

const over = (element: Element) => element.dispatchEvent(new MouseEvent('mouseover', { bubbles: true }))

it('a name that is cut is told whole, and no longer once there is room', () => {
  const name = put('<button class="row-name"><b>学位英语考前辅导</b></button>', 160)
  over(name.firstElementChild ?? name)
  expect(name.title).toBe('学位英语考前辅导')
  Object.defineProperty(name, 'scrollWidth', { value: 100 })
  over(name)
  expect(name.hasAttribute('title')).toBe(false)
})

it('what is whole has no tip, and a tip of the screen stays', () => {
  const whole = put('<button class="row-name">英语</button>', 100)
  over(whole)
  expect(whole.hasAttribute('title')).toBe(false)
  const own = put('<div class="arco-table-cell-text-ellipsis" title="全称">简称</div>', 160)
  over(own)
  expect(own.title).toBe('全称')
})
