import { useSyncExternalStore } from 'react'

/** Whether a media query holds, followed. */
const useMedia = (query: string) =>
  useSyncExternalStore(
    (changed) => {
      const list = matchMedia(query)
      list.addEventListener('change', changed)
      return () => list.removeEventListener('change', changed)
    },
    () => matchMedia(query).matches,
  )

/** A phone: lists are cards, and one filter stands before 展开. The same width stands in styles.css. */
export const usePhone = () => useMedia('(max-width: 640px)')

/** The page is being printed: tables show all rows and columns, and their headings on each sheet. */
export const usePrinting = () => useMedia('print')
