import { Button } from '@arco-design/web-react'
import { IconDown, IconUp } from '@arco-design/web-react/icon'
import { Children, createContext, type FormEvent, isValidElement, type ReactNode, useContext, useState } from 'react'
import type { OperationMeta } from '@/api/operation'
import { isOverAll, useSchoolContext } from '@/api/schoolContext'
import { useSchoolChoice } from './schoolChoice'
import { usePhone } from './useMedia'

/** What is typed but not yet searched for. */
export interface Draft {
  operation: OperationMeta
  valueOf: (field: string) => string | undefined
  /** `now` searches at once: choosing is deciding, typing is not. */
  set: (values: Record<string, string | undefined>, now?: boolean) => void
}

const DraftContext = createContext<Draft | undefined>(undefined)

export const useDraft = () => {
  const draft = useContext(DraftContext)
  if (!draft) throw new Error('a filter stands outside its FilterBar')
  return draft
}

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

/** A filter whose choices are read from one school. */
const asksSchool = (filter: ReactNode) =>
  isValidElement<{ options?: { names?: boolean } }>(filter) && filter.props.options?.names === true

/**
 * The filters of a list in one row. Enter searches; what is searched for stands in the address. An operator chooses the
 * school before them; until then there are no choices of a school's own.
 */
export const FilterBar = ({ table, children }: FilterBarProps) => {
  const [typed, setTyped] = useState<Record<string, string | undefined>>({})
  const overAll = isOverAll(useSchoolContext())
  const choice = useSchoolChoice()
  const all = Children.toArray(children).filter((filter) => !(overAll && asksSchool(filter)))
  const [unfolded, setUnfolded] = useState(false)
  const count = usePhone() ? SHOWN_ON_A_PHONE : choice ? SHOWN - 1 : SHOWN
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
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const trimmed = Object.entries(typed).map(([field, value]) => [field, value?.trim()])
    table.setFilters(Object.fromEntries(trimmed))
  }
  return (
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
  )
}
