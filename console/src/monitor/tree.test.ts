import { expect, it } from 'vitest'
import { blockTree } from './tree'

it('who waits stands below whom he waits for', () => {
  const rows = [
    { pid: 3, blockedBy: [2] },
    { pid: 1, blockedBy: [] },
    { pid: 2, blockedBy: [1, 99] },
    { pid: 4, blockedBy: [99] },
  ]
  expect(blockTree(rows)).toEqual([
    {
      pid: 1,
      blockedBy: [],
      key: '1',
      children: [{ pid: 2, blockedBy: [1, 99], key: '1/2', children: [{ pid: 3, blockedBy: [2], key: '1/2/3' }] }],
    },
    { pid: 4, blockedBy: [99], key: '4' },
  ])
})
