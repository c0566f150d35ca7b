import { expect, it } from 'vitest'
import { deviceOf } from './device'

it('names browser and system in two words', () => {
  const agent =
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Safari/537.36'
  expect(deviceOf(agent)).toBe('Chrome · Windows')
  expect(deviceOf(`${agent} Edg/126.0`)).toBe('Edge · Windows')
  expect(deviceOf('Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) Version/17.0 Mobile Safari/604.1')).toBe(
    'Safari · iOS',
  )
  expect(deviceOf('curl/8')).toBe('其他设备')
})
