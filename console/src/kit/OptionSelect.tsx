import { Select } from '@arco-design/web-react'
import { useState } from 'react'
import { messageOf } from '@/api/errors'
import type { Operation } from '@/api/operation'
import { useOptions } from '@/api/options'
import { useSettled } from './useSettled'

/** A choice as every option call answers it: `code` is the id, `desc` the name. */
export interface Choice {
  code: number
  desc: string
}

interface OptionSelectProps<Query> {
  label: string
  options: Operation<Query, undefined, Choice[]>
  query: (keyword: string) => Query
  value?: number
  onChange?: (id: number | undefined, choice: Choice | undefined) => void
  /** The chosen record's name, for a record that is not among the first choices. */
  known?: Choice
  /** What cannot be chosen here, as what is there already. */
  except?: number
  placeholder?: string
  disabled?: boolean
}

/** A select that searches on the server. */
export const OptionSelect = <Query,>(props: OptionSelectProps<Query>) => {
  const { label, options, query, value, onChange, known, except, placeholder = '请选择', disabled } = props
  const [text, setText] = useState('')
  const found = useOptions(options, query(useSettled(text)))
  const choices = (found.data ?? []).filter(({ code }) => code !== except)
  const all = known && !choices.some((choice) => choice.code === known.code) ? [known, ...choices] : choices
  return (
    <Select
      aria-label={label}
      placeholder={placeholder}
      allowClear
      showSearch
      filterOption={false}
      disabled={disabled}
      loading={found.isFetching}
      value={value}
      onChange={(id: number | undefined) =>
        onChange?.(
          id,
          all.find(({ code }) => code === id),
        )
      }
      onSearch={setText}
      notFoundContent={found.isError ? messageOf(found.error) : '没有找到，请换一个词'}
      options={all.map(({ code, desc }) => ({ value: code, label: desc }))}
    />
  )
}

/** The name of a choice; its number while the name is not among the first choices. */
export const OptionName = <Query,>({
  options,
  query,
  id,
}: Pick<OptionSelectProps<Query>, 'options' | 'query'> & { id: number }) => {
  const found = useOptions(options, query(''))
  return found.data?.find(({ code }) => code === id)?.desc ?? `编号${id}`
}
