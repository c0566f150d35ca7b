import { Select } from '@arco-design/web-react'
import { isValidElement } from 'react'
import { useOptions } from '@/api/options'
import { listDictionary } from './api'

export type DictionaryType =
  | 'ethnicity'
  | 'political_status'
  | 'source_channel'
  | 'contact_way'
  | 'contact_result'
  | 'lag_reason'

interface DictionarySelectProps {
  type: DictionaryType
  value?: string
  onChange?: (value: string | undefined) => void
  disabled?: boolean
  'aria-label'?: string
}

/** Words that the operator keeps in the dictionary. */
export const DictionarySelect = ({ type, ...rest }: DictionarySelectProps) => {
  const words = useOptions(listDictionary, { dictType: type })
  return (
    <Select
      {...rest}
      placeholder="请选择"
      allowClear
      showSearch
      loading={words.isFetching}
      filterOption={(text, option: unknown) =>
        isValidElement<{ children?: unknown }>(option) && String(option.props.children).includes(text)
      }
      options={(words.data ?? []).map(({ dictValue, dictLabel }) => ({ value: dictValue, label: dictLabel }))}
    />
  )
}
