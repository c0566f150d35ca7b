import { Button } from '@arco-design/web-react'
import { IconDown, IconUp } from '@arco-design/web-react/icon'

interface StepsProps {
  /** What is moved or deleted: `第1章`. */
  of: string
  first: boolean
  last: boolean
  move: (by: 1 | -1) => void
  remove: () => void
}

/** 上移, 下移, 删除 of a chapter or lesson. */
export const Steps = ({ of, first, last, move, remove }: StepsProps) => (
  <span className="outline-steps">
    <Button size="mini" icon={<IconUp />} aria-label={`上移${of}`} disabled={first} onClick={() => move(-1)} />
    <Button size="mini" icon={<IconDown />} aria-label={`下移${of}`} disabled={last} onClick={() => move(1)} />
    <Button size="mini" aria-label={`删除${of}`} onClick={remove}>
      删除
    </Button>
  </span>
)

/** The same list with another item at a place. */
export const replaced = <Item,>(items: readonly Item[], index: number, item: Item) =>
  items.map((each, at) => (at === index ? item : each))

/** The same list but for a place. */
export const without = <Item,>(items: readonly Item[], index: number) => items.filter((_, at) => at !== index)
