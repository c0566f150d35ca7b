import { useEffect, useLayoutEffect, useRef } from 'react'

/** By which Arco knows the key. */
const ESCAPE = 27

interface Props {
  name: string
  /** For a drawer that has nothing to type or press: without the focus it would not hear Escape. */
  focus?: boolean
}

/** Stands in one of Arco's drawers, which do not say themselves that they are dialogs, and gives it its name. */
export const DialogName = ({ name, focus = false }: Props) => {
  const inside = useRef<HTMLSpanElement>(null)
  useLayoutEffect(() => {
    const drawer = inside.current?.closest('.arco-drawer')
    drawer?.setAttribute('role', 'dialog')
    drawer?.setAttribute('aria-label', name)
  }, [name])
  useEffect(() => {
    const drawer = inside.current?.closest<HTMLElement>('.arco-drawer')
    if (!focus || !drawer) return
    drawer.tabIndex = -1
    drawer.focus({ preventScroll: true })
  }, [focus])
  useEffect(() => {
    // What was pressed and went with its row leaves the focus to the page, where no drawer hears Escape.
    const hear = ({ key, target }: KeyboardEvent) => {
      const drawer = inside.current?.closest('.arco-drawer')
      if (key !== 'Escape' || target !== document.body || !drawer) return
      const dialogs = [...document.querySelectorAll('[role=dialog]')].filter((dialog) => dialog.checkVisibility())
      if (dialogs.at(-1) !== drawer) return
      drawer.dispatchEvent(new KeyboardEvent('keydown', { key, keyCode: ESCAPE, bubbles: true }))
    }
    document.addEventListener('keydown', hear)
    return () => document.removeEventListener('keydown', hear)
  }, [])
  return <span ref={inside} hidden />
}
