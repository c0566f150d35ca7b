import { createContext, useContext } from 'react'

/** Where the pictures and recordings of a text are: it names them by their keys alone. */
export interface Media {
  urlOf: (key: string) => string | undefined
  /** Of a file that was uploaded just now. */
  add: (key: string, url: string) => void
}

const nowhere: Media = { urlOf: () => undefined, add: () => {} }

export const MediaContext = createContext<Media>(nowhere)

export const useMedia = () => useContext(MediaContext)
