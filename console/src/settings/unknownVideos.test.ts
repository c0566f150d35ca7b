import { expect, test } from 'vitest'
import { unknownVideos } from './unknownVideos'

test('the videos that nobody here knows are told with their channel, number and name', () => {
  const told = [{ channel: 'polyv', vid: 'poly_2', name: '旧课件', msg: '未登记' }, { message: '其他' }, null]
  expect(unknownVideos(told)).toEqual([{ key: 0, channel: 'polyv', vid: 'poly_2', name: '旧课件' }])
  expect(unknownVideos(undefined)).toEqual([])
})
