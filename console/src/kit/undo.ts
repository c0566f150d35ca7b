import { create } from 'zustand'
import type { Requester } from '@/api/client'
import { tellSuccess } from '@/api/errors'
import type { OperationMeta } from '@/api/operation'
import { refetchAll } from '@/api/query'

/** For so long what was just done can be taken back. */
export const UNDO_MS = 30_000

/** How a step is taken back, where the rule allows it. */
export interface Undo {
  /** Whose permission is asked. */
  do: OperationMeta
  run: (request: Requester) => Promise<unknown>
}

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

export const takeBack = async () => {
  const { offer, running } = useUndo.getState()
  if (!offer || running) return
  useUndo.setState({ running: true })
  try {
    await offer.run(offer.request)
    tellSuccess('已撤销')
  } finally {
    if (useUndo.getState().offer === offer) forgetUndo()
    await refetchAll()
  }
}
