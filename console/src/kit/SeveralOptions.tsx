import { Select } from '@arco-design/web-react'
import type { SelectHandle } from '@arco-design/web-react/es/Select/interface'
import { useEffect, useRef, useState } from 'react'
import { messageOf } from '@/api/errors'
import type { Operation } from '@/api/operation'
import { useOptions } from '@/api/options'
import type { Choice } from './OptionSelect'
import { useSettled } from './useSettled'

interface SeveralOptionsProps<Query> {
  label: string
  options: Operation<Query, undefined, Choice[]>
  query: (keyword: string) => Query
  value?: number[]
  onChange?: (ids: number[]) => void
  /** Gets the records behind the chosen ids, for whoever shows their names. */
  onFound?: (choices: readonly Choice[]) => void
  placeholder?: string
  /** The names of records that are chosen already and may not be among the first choices. */
  known?: readonly Choice[]
  /** A record that is not offered. */
  except?: number
}

/** A select of several records that searches on the server. What is chosen keeps its name whatever is searched for. */
export const SeveralOptions = <Query,>(props: SeveralOptionsProps<Query>) => {
  const { label, options, query, value = [], onChange, onFound, placeholder = '不限', known = [], except } = props
  const select = useRef<SelectHandle>(null)
  // Arco names the box of the whole; the one inside, in which one types, has no name once something is chosen.
  useEffect(() => select.current?.dom?.querySelector('input')?.setAttribute('aria-label', label), [label])
  const [text, setText] = useState('')
  const [met, setMet] = useState(known)
  const first = useOptions(options, query(''))
  const found = useOptions(options, query(useSettled(text)))
  const offered = (found.data ?? []).filter(({ code }) => code !== except)
  const names = new Map([...met, ...(first.data ?? []), ...offered].map(({ code, desc }) => [code, desc]))
  const choiceOf = (code: number): Choice => ({ code, desc: names.get(code) ?? `编号${code}` })
  const missing = value.filter((id) => !offered.some(({ code }) => code === id)).map(choiceOf)
  return (
    <Select
      ref={select}
      mode="multiple"
      aria-label={label}
      placeholder={placeholder}
      allowClear
      showSearch
      filterOption={false}
      maxTagCount={4}
      loading={found.isFetching}
      value={value}
      onChange={(ids: number[]) => {
        const chosen = ids.map(choiceOf)
        setMet(chosen)
        onFound?.(chosen)
        onChange?.(ids)
      }}
      onSearch={setText}
      notFoundContent={found.isError ? messageOf(found.error) : '没有找到，请换一个词'}
      options={[...missing, ...offered].map(({ code, desc }) => ({ value: code, label: desc }))}
    />
  )
}
