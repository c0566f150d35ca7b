/** The order of sisters in a tree: by their number, then as the server answers them. Pure; the page saves what comes out. */

export interface Placed {
  id: number
  sortNo: number
}

/** A node of a tree whose sisters can be put in another order. */
export interface Ordered extends Placed {
  name: string
  children: readonly Ordered[]
}

/** A row of a tree. */
export interface Nested<Row> {
  id: number
  children: Row[]
}

/** All rows of a tree, each before those below it. */
export const flat = <Row extends Nested<Row>>(rows: readonly Row[]): Row[] =>
  rows.flatMap((row) => [row, ...flat(row.children)])

const MOST = 9999
/** Between two numbers that are given anew there is room for later moves. */
const STEP = 10

/** The nodes of the same superior, among which one can be moved. */
export const sistersOf = (nodes: readonly Ordered[], id: number): readonly Ordered[] => {
  if (nodes.some((node) => node.id === id)) return nodes
  for (const node of nodes) {
    const below = sistersOf(node.children, id)
    if (below.length > 0) return below
  }
  return []
}

/** A whole number between two others, or none when there is no room. */
const between = (before: number | undefined, after: number | undefined) => {
  const low = before ?? -1
  const high = after ?? Math.min(MOST + 1, low + 2 * STEP)
  const middle = Math.floor((low + high) / 2)
  return middle > low && middle < high ? middle : undefined
}

/**
 * The numbers that must be written so that the sister `id` stands at place `to`: one where its neighbours leave room,
 * else all anew, of which only those come back that differ.
 */
export const moved = <Sister extends Placed>(sisters: readonly Sister[], id: number, to: number) => {
  const mover = sisters.find((sister) => sister.id === id)
  if (!mover || sisters[to]?.id === id) return []
  const others = sisters.filter((sister) => sister !== mover)
  const sortNo = between(others[to - 1]?.sortNo, others[to]?.sortNo)
  if (sortNo !== undefined) return [{ unit: mover, sortNo }]
  const step = Math.min(STEP, Math.floor(MOST / sisters.length))
  return [...others.slice(0, to), mover, ...others.slice(to)]
    .map((unit, at) => ({ unit, sortNo: (at + 1) * step }))
    .filter((place) => place.unit.sortNo !== place.sortNo)
}
