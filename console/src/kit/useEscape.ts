import { type RefObject, useEffect } from 'react'

/**
 * A drop-down that the keyboard closes drops the focus to the body, where no dialog hears Esc any more: it goes back to its
 * field.
 */
export const useEscape = (visible: boolean, within: RefObject<HTMLElement | null>) => {
  useEffect(() => {
    if (!visible) return
    const listen = ({ key, target }: KeyboardEvent) => {
      if (!(target instanceof HTMLElement) || !within.current?.contains(target)) return
      if ((key !== 'Escape' && key !== 'Enter') || !target.closest('[role=combobox], .arco-select')) return
      setTimeout(() => document.activeElement === document.body && target.focus({ preventScroll: true }))
    }
    document.addEventListener('keydown', listen, true)
    return () => document.removeEventListener('keydown', listen, true)
  }, [visible, within])
}
