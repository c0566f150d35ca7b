import { useState } from 'react'
import { useIdentity } from '@/api/identity'
import type { Column } from './columns'

export type Density = 'default' | 'middle' | 'small'

interface Settings {
  hidden: readonly string[]
  density: Density
}

const read = (key: string): Settings | undefined => {
  const text = localStorage.getItem(key)
  if (!text) return undefined
  try {
    const settings: Settings = JSON.parse(text)
    return settings
  } catch {
    return undefined
  }
}

/** Which columns a person sees and how close the rows stand, remembered for each list in this browser. */
export const useTableSettings = <Row>(list: string, columns: readonly Column<Row>[]) => {
  const person = useIdentity((state) => state.account?.userId)
  const key = `table.${person}.${list}`
  const [settings, setSettings] = useState<Settings>(
    () =>
      read(key) ?? { hidden: columns.filter((column) => column.hidden).map((column) => column.key), density: 'middle' },
  )
  const change = (changed: Partial<Settings>) => {
    const next = { ...settings, ...changed }
    setSettings(next)
    localStorage.setItem(key, JSON.stringify(next))
  }
  return {
    ...settings,
    setDensity: (density: Density) => change({ density }),
    setVisible: (visible: readonly string[]) =>
      change({ hidden: columns.map((column) => column.key).filter((column) => !visible.includes(column)) }),
    restore: () => change({ hidden: columns.filter((column) => column.hidden).map((column) => column.key) }),
  }
}
