import { type RefObject, useEffect, useRef } from 'react'

/** Whether nothing lies over the dialog that holds the element. */
const isTopmost = (within: Element | null) => {
  const shown = [...document.querySelectorAll('.arco-drawer, .arco-modal')].filter(
    (each) => each.getClientRects().length > 0,
  )
  return within !== null && shown.at(-1)?.contains(within) === true
}

/**
 * A drop-down that the keyboard closes drops the focus to the body, where no dialog hears Esc any more: it goes back to its
 * field. Where it is lost all the same, Esc closes the topmost dialog.
 */
export const useEscape = (visible: boolean, within: RefObject<HTMLElement | null>, close: () => void) => {
  const latest = useRef(close)
  useEffect(() => {
    latest.current = close
  })
  useEffect(() => {
    if (!visible) return
    const listen = (event: KeyboardEvent) => {
      const { key, target } = event
      if (target instanceof HTMLElement && within.current?.contains(target)) {
        if ((key === 'Escape' || key === 'Enter') && target.closest('[role=combobox], .arco-select')) {
          setTimeout(() => document.activeElement === document.body && target.focus())
        }
        return
      }
      if (key !== 'Escape' || target !== document.body || !isTopmost(within.current)) return
      // What lies beneath hears nothing of it.
      event.stopPropagation()
      latest.current()
    }
    document.addEventListener('keydown', listen, true)
    return () => document.removeEventListener('keydown', listen, true)
  }, [visible, within])
}
