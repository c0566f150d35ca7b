import { type ReactNode, useMemo, useState } from 'react'
import { type Media, MediaContext } from './media'

interface MediaOfProps {
  /** What the server told of the files, each with an address of some minutes. */
  files?: readonly { key: string; url: string }[]
  children: ReactNode
}

/** The pictures in it are those of these files, and of what is uploaded in it. */
export const MediaOf = ({ files = [], children }: MediaOfProps) => {
  const [added, setAdded] = useState<ReadonlyMap<string, string>>(new Map())
  const media = useMemo<Media>(() => {
    const known = new Map([...files.map(({ key, url }) => [key, url] as const), ...added])
    return {
      urlOf: (key) => known.get(key),
      add: (key, url) => setAdded((before) => new Map([...before, [key, url]])),
    }
  }, [files, added])
  return <MediaContext.Provider value={media}>{children}</MediaContext.Provider>
}
