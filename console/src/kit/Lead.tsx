import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useAllowed } from '@/api/identity'
import type { OperationMeta } from '@/api/operation'
import './figures.css'

interface LeadProps {
  /** The list of the page to which it leads. */
  do: OperationMeta
  /** Nowhere when nothing finds the record there. */
  to: string | undefined
  children: ReactNode
}

/** A record of another page, which leads to it; for those who may not look there its name alone. */
export const Lead = ({ do: list, to, children }: LeadProps) =>
  useAllowed()(list) && to ? (
    <Link className="overview-link" to={to}>
      {children}
    </Link>
  ) : (
    children
  )
