import { Button, Dropdown } from '@arco-design/web-react'
import { IconDown } from '@arco-design/web-react/icon'
import type { ReactNode } from 'react'
import { useAllowed } from '@/api/identity'
import type { OperationMeta } from '@/api/operation'

interface MoreToolsProps {
  /** What the tools do; whoever may none of it sees no menu. */
  of: readonly OperationMeta[]
  children: ReactNode
}

/** 更多: the tools of a list that are used now and then, so that the daily ones stay in one row. */
export const MoreTools = ({ of, children }: MoreToolsProps) => {
  const allowed = useAllowed()
  if (!of.some(allowed)) return null
  return (
    // The tools stay in the page while the menu is shut: the dialog of one of them is open then.
    <Dropdown
      trigger="click"
      position="br"
      unmountOnExit={false}
      droplist={<div className="more-tools">{children}</div>}
    >
      <Button>
        更多 <IconDown />
      </Button>
    </Dropdown>
  )
}
