import { useLayoutEffect, useRef } from 'react'

/** Stands in one of Arco's drawers, which do not say themselves that they are dialogs, and gives it its name. */
export const DialogName = ({ name }: { name: string }) => {
  const inside = useRef<HTMLSpanElement>(null)
  useLayoutEffect(() => {
    const drawer = inside.current?.closest('.arco-drawer')
    drawer?.setAttribute('role', 'dialog')
    drawer?.setAttribute('aria-label', name)
  }, [name])
  return <span ref={inside} hidden />
}
