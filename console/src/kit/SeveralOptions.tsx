import { Select } from '@arco-design/web-react'
import { useState } from 'react'
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
}

/** A select of several records that searches on the server. */
export const SeveralOptions = <Query,>(props: SeveralOptionsProps<Query>) => {
  const { label, options, query, value = [], onChange, onFound, placeholder = '不限', known = [] } = props
  const [text, setText] = useState('')
  const [kept, setKept] = useState<readonly Choice[]>(known)
  const found = useOptions(options, query(useSettled(text)))
  const choices = found.data ?? []
  const missing = kept.filter(({ code }) => value.includes(code) && !choices.some((choice) => choice.code === code))
  return (
    <Select
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
        const all = [...missing, ...choices]
        setKept(all)
        onFound?.(all.filter(({ code }) => ids.includes(code)))
        onChange?.(ids)
      }}
      onSearch={setText}
      notFoundContent={found.isError ? messageOf(found.error) : '没有找到，请换一个词'}
      options={[...missing, ...choices].map(({ code, desc }) => ({ value: code, label: desc }))}
    />
  )
}
