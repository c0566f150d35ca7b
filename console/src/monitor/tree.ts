export interface Blockable {
  pid: number
  blockedBy: readonly number[]
}

export type Blocked<Row> = Row & { key: string; children?: Blocked<Row>[] }

/** Who waits stands below whom they wait for; who waits for nobody stands at the top. */
export const blockTree = <Row extends Blockable>(rows: readonly Row[]): Blocked<Row>[] => {
  const known = new Set(rows.map(({ pid }) => pid))
  const below = (row: Row, path: readonly number[]): Blocked<Row> => {
    const way = [...path, row.pid]
    // Two that wait for each other are a deadlock, which the database ends; until then each stands once below the other.
    const waiting = rows.filter(({ pid, blockedBy }) => blockedBy.includes(row.pid) && !way.includes(pid))
    const children = waiting.map((each) => below(each, way))
    return { ...row, key: way.join('/'), ...(children.length > 0 && { children }) }
  }
  const tops = rows.filter(({ blockedBy }) => !blockedBy.some((pid) => known.has(pid)))
  return tops.map((row) => below(row, []))
}
