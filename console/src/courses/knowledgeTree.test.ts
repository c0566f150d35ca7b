import { expect, it } from 'vitest'
import { flat } from '@/kit/treeOrder'
import { superiorsFor } from './knowledgeTree'

interface Node {
  id: number
  depth: number
  children: Node[]
}

const point = (id: number, depth: number, ...children: Node[]): Node => ({ id, depth, children })

/** 1 ─ 2 ─ 3, 4 ─ 5, 6. */
const tree = [point(1, 1, point(2, 2, point(3, 3))), point(4, 1, point(5, 2)), point(6, 1)]

const idsFor = (id?: number) =>
  superiorsFor(
    tree,
    flat(tree).find((node) => node.id === id),
  ).map((node) => node.id)

it('a new point stands below what is not yet on the last level', () => {
  expect(idsFor()).toEqual([1, 2, 4, 5, 6])
})

it('a point moves with those below it, never below them and never too deep', () => {
  expect(idsFor(4)).toEqual([1, 6])
  expect(idsFor(1)).toEqual([])
  expect(idsFor(3)).toEqual([1, 2, 4, 5, 6])
})
