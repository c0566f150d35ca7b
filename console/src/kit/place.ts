/** Where the keyboard was before something was opened, to which it goes back. */
export interface Place {
  element: HTMLElement
  /** The list in which it was, and which of its rows. */
  list: Element | null
  row: string | undefined
  at: number
}

const rowsOf = (list: Element | null) => [...(list?.querySelectorAll<HTMLElement>('[data-row]') ?? [])]

/** Where the keyboard is now. */
export const placeNow = (): Place | undefined => {
  const element = document.activeElement
  if (!(element instanceof HTMLElement)) return undefined
  const row = element.closest<HTMLElement>('[data-row]')
  const list = row?.closest('.table-box') ?? row?.parentElement ?? null
  return { element, list, row: row?.dataset.row, at: row ? rowsOf(list).indexOf(row) : 0 }
}

const isThere = (element: HTMLElement) => element.isConnected && !element.matches(':disabled')

/** The place itself; when it is gone the name of its row, and when that is gone too the one that took its place. */
const nearest = ({ element, list, row, at }: Place) => {
  if (isThere(element)) return element
  const rows = rowsOf(list)
  const found = rows.find((each) => each.dataset.row === row) ?? rows[Math.min(at, rows.length - 1)]
  return found?.querySelector<HTMLElement>('.row-name') ?? undefined
}

const EVERY_MS = 200
/** So long a list may take to show what became of its row. */
const WATCH_MS = 3000

/** Goes back there, and stays by the row while the list is read anew. Answers how to give up. */
export const goBack = (place: Place) => {
  let last: HTMLElement | undefined
  const focus = () => {
    last = nearest(place)
    last?.focus({ preventScroll: true })
  }
  const first = setTimeout(focus)
  const watch = setInterval(() => {
    const now = document.activeElement
    if (now !== document.body) return now === last ? undefined : clearInterval(watch)
    if (last && !isThere(last)) focus()
  }, EVERY_MS)
  const end = setTimeout(() => clearInterval(watch), WATCH_MS)
  return () => {
    clearTimeout(first)
    clearTimeout(end)
    clearInterval(watch)
  }
}
