import { formatNumber } from './format'
import { TabList } from './TabList'
import type { useQueryTable } from './useQueryTable'

const ALL = ''

interface SegmentsProps {
  table: Pick<ReturnType<typeof useQueryTable>, 'operation' | 'filters' | 'setFilters' | 'segments'>
  /** The filter that is the list's state; its words come from the document. */
  field: string
  label: string
  /** The states that the screen has, where it has some of them only. */
  only?: readonly string[]
  /** The state that stands for all of them, where the list knows one. */
  usual?: string
  /** Tabs beside the states, which lead to something else. */
  beside?: { tabs: readonly (readonly [value: string, label: string])[]; onChoose: (value: string) => void }
}

/** How many rows of a list are in a state; nothing where it does not count them. */
export const countOf = (segments: readonly { value: string; count: number }[], state: string) =>
  segments.length > 0 ? (segments.find(({ value }) => value === state)?.count ?? 0) : undefined

/** The states of a list, each with how many rows it has under the other filters; one press shows them alone. */
export const Segments = ({ table, field, label, only, usual, beside }: SegmentsProps) => {
  const counts = new Map(table.segments.map(({ value, count }) => [value, count]))
  const states = (table.operation.fields[field]?.options ?? []).filter(([value]) => !only || only.includes(value))
  const whole = states.reduce((sum, [value]) => sum + (counts.get(value) ?? 0), 0)
  const named = (words: string, count: number | undefined) =>
    counts.size > 0 ? `${words} ${formatNumber(count ?? 0)}` : words
  const tabs = states.map(([value, words]) => [value, named(words, counts.get(value))] as const)
  return (
    <div className="list-tabs">
      <TabList
        label={label}
        tabs={[
          ...(usual === undefined ? [[ALL, named('全部', whole)] as const] : []),
          ...tabs,
          ...(beside?.tabs ?? []),
        ]}
        value={table.filters[field] ?? usual ?? ALL}
        onChange={(chosen) => {
          if (beside?.tabs.some(([value]) => value === chosen)) beside.onChoose(chosen)
          else table.setFilters({ [field]: chosen === (usual ?? ALL) ? undefined : chosen })
        }}
      />
    </div>
  )
}
