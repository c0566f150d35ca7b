import { createContext, useContext } from 'react'
import type { OperationMeta } from '@/api/operation'

/** What is typed but not yet searched for. */
export interface Draft {
  operation: OperationMeta
  valueOf: (field: string) => string | undefined
  /** `now` searches at once: choosing is deciding, typing is not. */
  set: (values: Record<string, string | undefined>, now?: boolean) => void
  /** A filter shows itself as a control in the bar, or as a chip of what is searched for. */
  as: 'control' | 'chip'
}

export const DraftContext = createContext<Draft | undefined>(undefined)

export const useDraft = () => {
  const draft = useContext(DraftContext)
  if (!draft) throw new Error('a filter stands outside its FilterBar')
  return draft
}
