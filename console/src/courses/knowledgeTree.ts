import { flat, type Nested } from '@/kit/treeOrder'

/** The tree of a course's knowledge points, as far as the screen reckons with it. Pure; the server has the last word. */

/** Levels of the tree, as the server counts them. */
export const LEVELS = 3

interface Point<Self> extends Nested<Self> {
  /** From 1 at the root. */
  depth: number
}

/** How many levels a point and those below it have. */
const levelsOf = <Node extends Point<Node>>(node: Node): number => 1 + Math.max(0, ...node.children.map(levelsOf))

/** The points below which this one can stand with all that it brings along; a new one brings itself alone. */
export const superiorsFor = <Node extends Point<Node>>(nodes: readonly Node[], point: Node | undefined) => {
  const brought = point ? levelsOf(point) : 1
  const own = new Set(point ? flat([point]).map(({ id }) => id) : [])
  return flat(nodes).filter(({ id, depth }) => depth + brought <= LEVELS && !own.has(id))
}
