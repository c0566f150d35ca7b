import { create } from 'zustand'

interface ViewExport {
  /** The saved view whose rows are wanted as a file: its list opens, and its export asks. */
  wanted: number | undefined
  /** The lists, by their operation, that an export stands beside. */
  offered: readonly string[]
}

export const useViewExport = create<ViewExport>(() => ({ wanted: undefined, offered: [] }))

/** Until the answer is called, the list can be exported. */
export const offerExport = (list: string) => {
  useViewExport.setState(({ offered }) => ({ offered: [...offered, list] }))
  return () =>
    useViewExport.setState(({ offered }) => {
      const at = offered.indexOf(list)
      return { offered: offered.filter((_, place) => place !== at) }
    })
}
