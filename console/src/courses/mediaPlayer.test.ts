import { expect, test } from 'vitest'
import { playerOf } from './mediaPlayer'

const file = { url: '/admin/files/private/s1/a.mp4?sign=1', framed: false }

test("what lies in our own store is played by the browser's own player", () => {
  expect(playerOf(file, false)).toEqual({ kind: 'video', url: file.url })
  expect(playerOf(file, true)).toEqual({ kind: 'audio', url: file.url })
})

test("a provider's page stands in a frame", () => {
  const url = 'https://e49.at.baijiayun.com/web/video/player?vid=1&token=t'
  expect(playerOf({ url, framed: true }, false)).toEqual({ kind: 'frame', url })
})

test('what cannot be played says why', () => {
  expect(playerOf({ url: null, framed: false, reason: '视频已加密' }, false)).toEqual({
    kind: 'none',
    reason: '视频已加密',
  })
  expect(playerOf(null, false)).toEqual({ kind: 'none', reason: '音视频尚未就绪，请稍后再试' })
  expect(playerOf({ url: 'javascript:alert(1)', framed: true }, false).kind).toBe('none')
  expect(playerOf({ url: 'http://e49.at.example/player', framed: true }, false).kind).toBe('none')
})
