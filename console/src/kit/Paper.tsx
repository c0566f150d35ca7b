import type { ReactNode } from 'react'
import { createPortal } from 'react-dom'

/**
 * What is printed in place of the page, on A4 across or upright, as long as it stands in the page: by a button or by Ctrl+P.
 * On the screen it is not seen.
 */
export const Paper = ({ upright, children }: { upright?: boolean; children: ReactNode }) =>
  createPortal(<div className={upright ? 'paper paper-upright' : 'paper'}>{children}</div>, document.body)
