import type { Operation } from '@/api/operation'
import { useOptions } from '@/api/options'
import { SelectFilter } from '@/kit/filters'
import { listDictionary } from './api'
import type { DictionaryType } from './DictionarySelect'

interface DictionaryFilterProps<Body> {
  of: Operation<undefined, Body, unknown>
  field: keyof Body & string
  label?: string
  type: DictionaryType
}

/** A filter by a word that the operator keeps in the dictionary. */
export const DictionaryFilter = <Body,>({ type, ...filter }: DictionaryFilterProps<Body>) => {
  const words = useOptions(listDictionary, { dictType: type })
  const options = (words.data ?? []).map(({ dictValue, dictLabel }) => ({ value: dictValue, label: dictLabel }))
  return <SelectFilter {...filter} options={options} />
}
