import { create } from 'zustand'

interface ViewExport {
  /** The saved view whose rows are wanted as a file: its list opens, and its export asks. */
  wanted: number | undefined
  /** How many exports the page that is looked at has. */
  offered: number
}

export const useViewExport = create<ViewExport>(() => ({ wanted: undefined, offered: 0 }))

/** Until the answer is called, the page that is looked at can export its list. */
export const offerExport = () => {
  const by = (change: number) => useViewExport.setState(({ offered }) => ({ offered: offered + change }))
  by(1)
  return () => by(-1)
}
