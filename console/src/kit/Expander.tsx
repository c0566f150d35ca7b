import { IconMinus, IconPlus } from '@arco-design/web-react/icon'
import type { ComponentProps } from 'react'

interface ExpanderProps extends ComponentProps<'button'> {
  expanded: boolean
  /** What is unfolded. */
  name: string
}

/** Arco's own has no name for those who read by ear. */
export const Expander = ({ expanded, name, ...button }: ExpanderProps) => (
  <button {...button} type="button" aria-expanded={expanded} aria-label={`${expanded ? '收起' : '展开'}${name}`}>
    {expanded ? <IconMinus /> : <IconPlus />}
  </button>
)
