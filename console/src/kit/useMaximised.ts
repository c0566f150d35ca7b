import { useEffect, useState } from 'react'

/** Whether the page has the window to itself, without menu, top bar and tabs; Esc gives them back. */
export const useMaximised = () => {
  const [maximised, setMaximised] = useState(false)
  useEffect(() => {
    if (!maximised) return
    const leave = (event: KeyboardEvent) => event.key === 'Escape' && setMaximised(false)
    document.body.classList.add('maximised')
    document.addEventListener('keydown', leave)
    return () => {
      document.body.classList.remove('maximised')
      document.removeEventListener('keydown', leave)
    }
  }, [maximised])
  return { maximised, toggle: () => setMaximised(!maximised) }
}
