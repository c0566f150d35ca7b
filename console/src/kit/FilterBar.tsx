import { Button } from '@arco-design/web-react'
import { IconDown, IconUp } from '@arco-design/web-react/icon'
import { Children, createContext, type FormEvent, isValidElement, type ReactNode, useContext, useState } from 'react'
import type { Operation, OperationMeta } from '@/api/operation'
import { isOverAll, useSchoolContext } from '@/api/schoolContext'
import { Chip, wordsOf } from './Chip'
import { type Draft, DraftContext, useDraft } from './draft'
import { TextFilter } from './filters'
import { PasteNames } from './PasteNames'
import { useSchoolChoice } from './schoolChoice'
import { usePhone } from './useMedia'

interface FilterBarProps {
  table: {
    operation: OperationMeta
    filters: Record<string, string>
    setFilters: (values: Record<string, string | undefined>) => void
    reset: () => void
  }
  children: ReactNode
}

/** How many filters stand in the row before 展开. */
const SHOWN = 4
const SHOWN_ON_A_PHONE = 1

/** The fields of the list's body that a filter of the bar asks for. */
const fieldsOf = (filter: ReactNode) =>
  isValidElement<{ field?: string; from?: string; to?: string }>(filter)
    ? [filter.props.field, filter.props.from, filter.props.to]
    : []

interface ChoiceProps {
  of: Operation<undefined, Record<string, unknown>>
  field: string
  label?: string
  options?: { names?: boolean }
}

/**
 * A filter as it stands over all schools: one whose choices are read from one school gives way to the text of a code or a name, where the
 * list is asked for by it.
 */
const overSchools = (filter: ReactNode) => {
  if (!isValidElement<ChoiceProps>(filter) || filter.props.options?.names !== true) return filter
  const { of, field, label = of.fields[field]?.label } = filter.props
  const text = field.replace(/Id$/, 'Text')
  return text !== field && text in of.fields ? (
    <TextFilter key={filter.key} of={of} field={text} label={label} placeholder="编码或名称" />
  ) : null
}

/** What a page began with by itself: the row of filters tells it, and nobody searched for it. */
export const BegunFilters = createContext<Record<string, unknown>>({})

/** A filter that a link brought and the bar has no control for. */
const AppliedField = ({ field }: { field: string }) => {
  const draft = useDraft()
  const value = draft.valueOf(field) ?? ''
  return (
    <Chip label={draft.operation.fields[field]?.label ?? field} fields={[field]}>
      {field === 'among' ? `${value.split(',').length}项` : wordsOf(draft.operation, field, value)}
    </Chip>
  )
}

/**
 * The filters of a list in one row, and below them those that are searched for, each to be taken off. Enter searches; what is searched for stands in the address. An operator chooses the
 * school before them; until then there are no choices of a school's own.
 */
export const FilterBar = ({ table, children }: FilterBarProps) => {
  const [typed, setTyped] = useState<Record<string, string | undefined>>({})
  const overAll = isOverAll(useSchoolContext())
  const choice = useSchoolChoice()
  const given = Children.toArray(children)
  const all = overAll ? given.map(overSchools).filter(Boolean) : given
  const [unfolded, setUnfolded] = useState(false)
  const pastes = Boolean(table.operation.fields.among)
  // What else stands in the row takes the place of a filter.
  const count = usePhone() ? SHOWN_ON_A_PHONE : SHOWN - Number(Boolean(choice)) - Number(pastes)
  const applied = JSON.stringify(table.filters)
  const [searched, setSearched] = useState(applied)
  // What was searched for replaces what was typed. No effect: a tab that is shown again would run it.
  if (searched !== applied) {
    setSearched(applied)
    setTyped({})
  }

  const draft: Draft = {
    operation: table.operation,
    valueOf: (field) => (field in typed ? typed[field] : table.filters[field]),
    set: (values, now = false) => {
      if (now) table.setFilters({ ...typed, ...values })
      else setTyped({ ...typed, ...values })
    },
    as: 'control',
  }
  const begun = useContext(BegunFilters)
  const isBegun = (field: string) => field in begun && String(table.filters[field]) === String(begun[field])
  const chips: Draft = {
    ...draft,
    as: 'chip',
    valueOf: (field) => (isBegun(field) ? undefined : table.filters[field]),
    set: table.setFilters,
  }
  const inBar = new Set(all.flatMap(fieldsOf))
  const beside = Object.keys(table.filters).filter((field) => !inBar.has(field))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const trimmed = Object.entries(typed).map(([field, value]) => [field, value?.trim()])
    table.setFilters(Object.fromEntries(trimmed))
  }
  return (
    <>
      <DraftContext.Provider value={draft}>
        {/* biome-ignore lint/a11y/useSemanticElements: the search element is unknown to the browsers of some schools */}
        <form className="filters" role="search" aria-label="筛选" onSubmit={submit}>
          {choice?.picker}
          {unfolded ? all : all.slice(0, count)}
          <div className="filters-buttons">
            <Button type="primary" htmlType="submit">
              查询
            </Button>
            <Button
              onClick={() => {
                setTyped({})
                table.reset()
              }}
            >
              重置
            </Button>
            {pastes && <PasteNames table={table} />}
            {all.length > count && (
              <Button
                type="text"
                aria-expanded={unfolded}
                icon={unfolded ? <IconUp /> : <IconDown />}
                onClick={() => setUnfolded(!unfolded)}
              >
                {unfolded ? '收起' : '展开'}
              </Button>
            )}
          </div>
        </form>
      </DraftContext.Provider>
      {!Object.keys(table.filters).every(isBegun) && (
        <DraftContext.Provider value={chips}>
          <section className="applied" aria-label="已应用的筛选">
            {all}
            {beside.map((field) => (
              <AppliedField key={field} field={field} />
            ))}
          </section>
        </DraftContext.Provider>
      )}
    </>
  )
}
