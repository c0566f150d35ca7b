import { type ReactNode, useEffect, useRef, useState } from 'react'

/** Makes what it holds when it is first scrolled into sight: it asks the server something of its own. */
export const WhenSeen = ({ children }: { children: ReactNode }) => {
  const box = useRef<HTMLDivElement>(null)
  const [seen, setSeen] = useState(false)
  useEffect(() => {
    const watch = new IntersectionObserver((entries) => {
      if (entries.some((entry) => entry.isIntersecting)) setSeen(true)
    })
    if (box.current) watch.observe(box.current)
    return () => watch.disconnect()
  }, [])
  return (
    <div ref={box} className="when-seen">
      {seen && children}
    </div>
  )
}
