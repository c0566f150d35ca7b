import { createContext, useContext } from 'react'

/** The columns of the list as the person sees it, in their order: for its export and its saved views. */
export interface ShownColumns {
  /** The list's operation. */
  list: string
  keys: readonly string[]
  titles: readonly string[]
  /** Shows exactly these. */
  show: (keys: readonly string[]) => void
}

export const ShownColumnsContext = createContext<ShownColumns | undefined>(undefined)

export const useShownColumns = () => useContext(ShownColumnsContext)
