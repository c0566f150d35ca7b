import { useState } from 'react'

export interface DrawerProps<Row> {
  visible: boolean
  /** The record that is edited; none for a new one. */
  record: Row | undefined
  onClose: () => void
}

/** Opens a form for a record, or for a new one. */
export const useDrawer = <Row>() => {
  const [state, setState] = useState<{ visible: boolean; record?: Row; turn: number }>({ visible: false, turn: 0 })
  const props: DrawerProps<Row> = {
    visible: state.visible,
    record: state.record,
    onClose: () => setState({ ...state, visible: false }),
  }
  return {
    open: (record?: Row) => setState({ visible: true, record, turn: state.turn + 1 }),
    /** A fresh form each time it is opened. */
    key: state.turn,
    props,
  }
}
