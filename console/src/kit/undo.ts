import { create } from 'zustand'
import type { Input, Requester } from '@/api/client'
import { tellError, tellSuccess } from '@/api/errors'
import { useAllowed } from '@/api/identity'
import type { Operation, OperationMeta } from '@/api/operation'
import { refetchAll } from '@/api/query'
import { useRequest } from '@/api/schoolContext'
import { errorRows } from './csv'

/** For so long what was just done can be taken back. */
export const UNDO_MS = 30_000

/** How a step is taken back, where the rule allows it. */
export interface Undo {
  /** Whose permission is asked. */
  do: OperationMeta
  /** An answer that names rows as `failed` left those as they were. */
  run: (request: Requester) => Promise<unknown>
}

/** The way back by one call. */
export const undoBy = <Query, Body, Data>(
  operation: Operation<Query, Body, Data>,
  input: Input<Query, Body>,
): Undo => ({
  do: operation,
  run: (request) => request(operation, input),
})

interface Offer extends Undo {
  /** What was done. */
  words: string
  request: Requester
  until: number
}

interface UndoState {
  offer: Offer | undefined
  running: boolean
}

/** The step that was done last; another one takes its place. */
export const useUndo = create<UndoState>(() => ({ offer: undefined, running: false }))

export const offerUndo = (words: string, undo: Undo, request: Requester) =>
  useUndo.setState({ offer: { ...undo, words, request, until: Date.now() + UNDO_MS }, running: false })

export const forgetUndo = () => useUndo.setState({ offer: undefined, running: false })

/**
 * Says that something was done; with the way back, where there is one and this person may go it. What may not be taken back is
 * told all the same.
 */
export const useTellDone = () => {
  const allowed = useAllowed()
  const request = useRequest()
  return (words: string, undo?: Undo) => {
    if (undo && allowed(undo.do)) offerUndo(words, undo, request)
    else tellSuccess(words)
  }
}

const failedIn = (answer: unknown) =>
  typeof answer === 'object' && answer !== null && 'failed' in answer ? errorRows(answer.failed) : []

/** What is said of rows that could not be taken back; nothing where all could. */
export const leftAsIs = (answer: unknown) => {
  const failed = failedIn(answer)
  const [first] = failed
  if (!first) return undefined
  const [, name, why] = first
  return `${failed.length}条不能撤销：${name ? `${name}，` : ''}${why}`
}

export const takeBack = async () => {
  const { offer, running } = useUndo.getState()
  if (!offer || running) return
  useUndo.setState({ running: true })
  try {
    const left = leftAsIs(await offer.run(offer.request))
    if (left) tellError(left)
    else tellSuccess('已撤销')
  } finally {
    if (useUndo.getState().offer === offer) forgetUndo()
    await refetchAll()
  }
}
