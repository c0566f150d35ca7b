interface Hit {
  start: number
  end: number
}

export interface Part<H extends Hit> {
  text: string
  /** Where the part begins, in characters. */
  at: number
  hit?: H
}

/** A text cut at its hits. Places are counted in characters as the server counts them, not in UTF-16 units. */
export const partsOf = <H extends Hit>(text: string, hits: readonly H[]): Part<H>[] => {
  const characters = [...text]
  const parts: Part<H>[] = []
  let at = 0
  for (const hit of hits) {
    if (hit.start > at) parts.push({ text: characters.slice(at, hit.start).join(''), at })
    parts.push({ text: characters.slice(hit.start, hit.end).join(''), at: hit.start, hit })
    at = hit.end
  }
  if (at < characters.length) parts.push({ text: characters.slice(at).join(''), at })
  return parts
}
