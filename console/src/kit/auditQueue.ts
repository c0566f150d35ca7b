import { useEffect, useRef, useState } from 'react'
import type { DrawerProps } from './useDrawer'

interface Numbered {
  id: number
}

/** The next of a page that waits behind a row; from the page's end it begins at the top, also for a row of another page. */
export const nextOf = <Row extends Numbered>(rows: readonly Row[], id: number, waits: (row: Row) => boolean) => {
  const at = rows.findIndex((row) => row.id === id)
  return [...rows.slice(at + 1), ...rows.slice(0, Math.max(at, 0))].find(waits)
}

/** The how many-th of how many somebody looks at; what came in meanwhile makes no fourth of three. */
export const placeIn = (passed: readonly number[], id: number, whole: number) => {
  const place = passed.filter((each) => each !== id).length + 1
  return `第 ${place} / ${Math.max(whole, place)} 条`
}

const KEPT = 'audit.next'
const OFF = 'off'

interface QueueOf<Row> {
  /** The page of the list, as it is now. */
  rows: readonly Row[]
  /** Whether a row waits for a decision. */
  waits: (row: Row) => boolean
  /** How many of the whole list wait, where it counts them. */
  waiting?: number
}

/** What the drawer of an audit knows of those that wait. */
export interface AuditQueue {
  visible: boolean
  /** Whether another one waits on this page. */
  hasNext: boolean
  /** 第 n / N 条 */
  place: string
  /** Whether the next is opened after a decision. */
  goesOn: boolean
  setGoesOn: (on: boolean) => void
  /** To the next, which leaves this one for later. */
  skip: () => void
  /** It was decided on: to the next, or nowhere. Answers whether another one is shown. */
  decided: () => boolean
  close: () => void
}

/**
 * Which row is decided on: the one that was opened, then the next of the list that waits. The list is asked for again after each
 * decision, so that what waits on later pages moves up. Begins anew with each `key` of `useDrawer`.
 */
export const useAuditQueue = <Row extends Numbered>(
  { visible, record, onClose }: DrawerProps<Row>,
  { rows, waits, waiting }: QueueOf<Row>,
): AuditQueue & { row: Row | undefined } => {
  const [opened, setOpened] = useState(record)
  /** Decided on since then: the list may not know it yet. */
  const [done, setDone] = useState<readonly number[]>([])
  const [passed, setPassed] = useState<readonly number[]>([])
  const [whole] = useState(() => waiting ?? rows.filter(waits).length)
  const [goesOn, setGoesOn] = useState(() => localStorage.getItem(KEPT) !== OFF)
  const next = opened && nextOf(rows, opened.id, (row) => waits(row) && !done.includes(row.id))

  const goTo = (row: Row) => {
    setPassed((former) => (opened && !former.includes(opened.id) ? [...former, opened.id] : former))
    setOpened(row)
  }
  return {
    visible,
    // What is shown and the version that is sent are those of the list now.
    row: opened && (rows.find(({ id }) => id === opened.id) ?? opened),
    hasNext: next !== undefined,
    place: opened ? placeIn(passed, opened.id, whole) : '',
    goesOn,
    setGoesOn: (on) => {
      localStorage.setItem(KEPT, on ? 'on' : OFF)
      setGoesOn(on)
    },
    skip: () => next && goTo(next),
    decided: () => {
      if (opened) setDone((former) => [...former, opened.id])
      if (goesOn && next) {
        goTo(next)
        return true
      }
      onClose()
      return false
    },
    close: onClose,
  }
}

/** Where a letter is a letter, or an answer to the question in front of the page. */
const OTHERS = 'input:not([type=checkbox], [type=radio]), textarea, [contenteditable], .arco-modal'

/** Letters that decide while the drawer of an audit is open. One that is held down decides once. */
export const useAuditKeys = (on: boolean, keys: Readonly<Record<string, () => void>>) => {
  const typed = (event: KeyboardEvent) => {
    const isOthers = event.target instanceof HTMLElement && event.target.closest(OTHERS)
    if (!on || isOthers || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return
    const decide = keys[event.key.toLowerCase()]
    if (!decide) return
    event.preventDefault()
    decide()
  }
  const latest = useRef(typed)
  useEffect(() => {
    latest.current = typed
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => latest.current(event)
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
}
