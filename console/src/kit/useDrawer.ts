import { useEffect, useState } from 'react'
import { goBack, type Place, placeNow } from './place'

export interface DrawerProps<Row> {
  visible: boolean
  /** The record that is edited; none for a new one. */
  record: Row | undefined
  onClose: () => void
}

interface State<Row> {
  visible: boolean
  record?: Row
  turn: number
  /** Where the keyboard was, to which it goes back: the button of the row. */
  from?: Place
}

/** Opens a form for a record, or for a new one. */
export const useDrawer = <Row>() => {
  const [state, setState] = useState<State<Row>>({ visible: false, turn: 0 })
  const props: DrawerProps<Row> = {
    visible: state.visible,
    record: state.record,
    onClose: () => setState({ ...state, visible: false }),
  }
  const { visible, from } = state
  // The drawer keeps the focus to itself until it is gone, which may be long after it was told to go.
  useEffect(() => {
    if (visible || !from) return
    return goBack(from)
  }, [visible, from])
  return {
    /** `back`: where the keyboard goes afterwards, for what follows on another dialog; else where it is. */
    open: (record?: Row, back = placeNow()) => setState({ visible: true, record, turn: state.turn + 1, from: back }),
    /** Where the keyboard was when it was opened. */
    from,
    /** A fresh form each time it is opened. */
    key: state.turn,
    props,
  }
}
