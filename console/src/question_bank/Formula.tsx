import { createElement, type ReactNode } from 'react'
import { type MathNode, mathOf } from './tex'

const drawn = (node: MathNode): ReactNode =>
  createElement(node.tag, node.attributes ?? null, ...(node.children ? node.children.map(drawn) : [node.text]))

/** A formula; one that cannot be drawn is shown as it was typed. */
export const Formula = ({ tex }: { tex: string }) => {
  const math = mathOf(tex)
  return math ? createElement('math', null, drawn(math)) : <code className="formula-text">{tex}</code>
}
