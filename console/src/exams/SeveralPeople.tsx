import { Select } from '@arco-design/web-react'
import type { SelectHandle } from '@arco-design/web-react/es/Select/interface'
import { isValidElement, useEffect, useRef } from 'react'

interface PeopleProps {
  label: string
  people: readonly { id: number; name: string; studentNo?: string | null }[]
  loading?: boolean
  value?: number[]
  onChange?: (ids: number[]) => void
}

/** Several of a list of people that came whole; found by name or number. */
export const SeveralPeople = ({ label, people, loading, value, onChange }: PeopleProps) => {
  const select = useRef<SelectHandle>(null)
  // Arco names the box of the whole; the one inside, in which one types, has no name once something is chosen.
  useEffect(() => select.current?.dom?.querySelector('input')?.setAttribute('aria-label', label), [label])
  return (
    <Select
      ref={select}
      mode="multiple"
      aria-label={label}
      placeholder="请选择"
      allowClear
      showSearch
      maxTagCount={6}
      loading={loading}
      value={value}
      onChange={onChange}
      filterOption={(typed, option: unknown) =>
        isValidElement<{ children?: unknown }>(option) && String(option.props.children).includes(typed)
      }
      options={people.map(({ id, name, studentNo }) => ({
        value: id,
        label: [name, studentNo].filter(Boolean).join(' '),
      }))}
    />
  )
}
