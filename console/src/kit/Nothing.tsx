import { Button, Empty } from '@arco-design/web-react'
import type { ReactNode } from 'react'
import { Drawing } from './Drawings'

interface NothingProps {
  filtered: boolean
  reset: () => void
  /** Why there is nothing yet, and what to do next. */
  empty: ReactNode
}

/** A list without rows: of what was searched for there is none, or there is nothing yet. */
export const Nothing = ({ filtered, reset, empty }: NothingProps) => (
  <Empty
    icon={<Drawing of={filtered ? 'noMatch' : 'nothing'} />}
    description={
      filtered ? (
        <>
          没有符合筛选条件的记录
          <Button type="text" onClick={reset}>
            清除筛选
          </Button>
        </>
      ) : (
        empty
      )
    }
  />
)
