import { type ReactNode, useId, useState } from 'react'

interface TabListProps<Value extends string> {
  label: string
  tabs: readonly (readonly [value: Value, label: string])[]
  value: Value
  onChange: (value: Value) => void
  /** Names tabs and panels, where there are panels. */
  id?: string
}

/** Tabs of one's own: Arco's hide their panels from those who read by ear. */
export const TabList = <Value extends string>({ label, tabs, value, onChange, id }: TabListProps<Value>) => (
  <div className="form-tabs" role="tablist" aria-label={label}>
    {tabs.map(([each, words]) => (
      <button
        key={each}
        type="button"
        role="tab"
        id={id && `${id}-tab-${each}`}
        aria-controls={id && `${id}-panel-${each}`}
        aria-selected={each === value}
        onClick={() => onChange(each)}
      >
        {words}
      </button>
    ))}
  </div>
)

interface Panel {
  title: string
  content: ReactNode
  /** Asks the server something of its own: made when it is first looked at. */
  late?: boolean
}

interface TabPanelsProps {
  label: string
  panels: readonly Panel[]
  className?: string
}

/** A long form or record in tabs. Panels stay in the page, so that a form knows all its fields. */
export const TabPanels = ({ label, panels, className }: TabPanelsProps) => {
  const id = useId()
  const [at, setAt] = useState('0')
  const [seen, setSeen] = useState<readonly string[]>([at])
  const show = (next: string) => {
    setAt(next)
    setSeen((former) => [...former, next])
  }
  return (
    <>
      <TabList
        id={id}
        label={label}
        tabs={panels.map(({ title }, index) => [String(index), title] as const)}
        value={at}
        onChange={show}
      />
      {panels.map(({ title, content, late }, index) => (
        <div
          key={title}
          role="tabpanel"
          id={`${id}-panel-${index}`}
          aria-labelledby={`${id}-tab-${index}`}
          className={className}
          hidden={String(index) !== at}
        >
          {(!late || seen.includes(String(index))) && content}
        </div>
      ))}
    </>
  )
}
