import { expect, it } from 'vitest'
import { refusalOf, titleOf, wholeSeconds } from './materialFile'

const MEGABYTE = 1024 * 1024

it('takes the files that the provider takes', () => {
  expect(refusalOf('image', { name: '封面.PNG', size: 2 * MEGABYTE })).toBeUndefined()
  expect(refusalOf('image', { name: '封面.png', size: 2 * MEGABYTE + 1 })).toBe('文件超过2MB，请压缩后重新上传')
  expect(refusalOf('image', { name: '封面.webp', size: 1 })).toContain('不支持该文件格式')
  expect(refusalOf('voice', { name: '欢迎.amr', size: 1 })).toBeUndefined()
  expect(refusalOf('video', { name: '简介.mp4', size: 10 * MEGABYTE })).toBeUndefined()
  expect(refusalOf('video', { name: '简介', size: 1 })).toContain('mp4')
})

it('names a material by its file', () => {
  expect(titleOf('招生简章.2027.png')).toBe('招生简章.2027')
  expect(titleOf('.png')).toBe('.png')
  expect(titleOf(`${'长'.repeat(70)}.mp3`)).toHaveLength(60)
})

it('counts a second that was begun', () => {
  expect(wholeSeconds(59.2)).toBe(60)
  expect(wholeSeconds(3)).toBe(3)
  expect(wholeSeconds(0)).toBeUndefined()
  expect(wholeSeconds(Number.POSITIVE_INFINITY)).toBeUndefined()
})
