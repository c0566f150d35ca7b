import { Select } from '@arco-design/web-react'
import { useState } from 'react'
import { useOptions } from '@/api/options'
import { useSettled } from '@/kit/useSettled'
import { listAvailableSchools } from '@/schools/api'

interface SchoolsSelectProps {
  value?: number[]
  onChange?: (ids: number[]) => void
  'aria-label'?: string
}

/** The schools that an operator may act for. */
export const SchoolsSelect = ({ value = [], onChange, 'aria-label': label }: SchoolsSelectProps) => {
  const [text, setText] = useState('')
  const found = useOptions(listAvailableSchools, { keyword: useSettled(text) || undefined })
  const all = useOptions(listAvailableSchools, { keyword: undefined })
  const known = new Map([...(all.data ?? []), ...(found.data ?? [])].map(({ code, desc }) => [code, desc]))
  const shown = [...new Set([...value, ...(found.data ?? []).map(({ code }) => code)])]
  return (
    <Select
      aria-label={label}
      mode="multiple"
      allowClear
      showSearch
      filterOption={false}
      placeholder="请选择"
      loading={found.isFetching}
      value={value}
      onSearch={setText}
      onChange={onChange}
      notFoundContent="没有找到，请换一个词"
      options={shown.map((id) => ({ value: id, label: known.get(id) ?? `院校${id}` }))}
    />
  )
}
