import { useEffect, useLayoutEffect, useRef } from 'react'

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
  return <span ref={inside} hidden />
}
