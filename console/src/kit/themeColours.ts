import { useEffect, useState } from 'react'
import type { ChartColours } from './chartOption'

/** The colours of the theme as they are computed at this moment: a drawing knows no variables. */
const read = (): ChartColours => {
  const style = getComputedStyle(document.body)
  const of = (name: string) => style.getPropertyValue(name).trim()
  const rgb = (name: string) => `rgb(${of(name)})`
  return {
    palette: [
      '--primary-6',
      '--orange-6',
      '--cyan-7',
      '--purple-6',
      '--gold-6',
      '--green-7',
      '--magenta-6',
      '--lime-7',
    ].map(rgb),
    ink: of('--color-text-1'),
    faint: of('--color-text-2'),
    line: of('--color-border-2'),
    ground: of('--color-bg-2'),
  }
}

/** They change with the theme and with the school, both of which are said on `body`. */
export const useThemeColours = () => {
  const [colours, setColours] = useState(read)
  useEffect(() => {
    const watch = new MutationObserver(() => setColours(read()))
    watch.observe(document.body, { attributes: true, attributeFilter: ['arco-theme', 'style'] })
    return () => watch.disconnect()
  }, [])
  return colours
}
