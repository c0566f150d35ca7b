import { useDeferredValue, useEffect, useState } from 'react'

/** How long a person pauses before what was typed is searched for. */
const PAUSE_MS = 300

/** A text once nobody types in it any more. */
export const useSettled = (text: string) => {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return useDeferredValue(settled)
}
