import { Select } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useAllowed } from '@/api/identity'
import { useRequest } from '@/api/schoolContext'
import { nothingFound } from '@/kit/nothingFound'
import { useSettled } from '@/kit/useSettled'
import { listGzhMaterials } from './api'
import type { MaterialKind } from './materialFile'

interface MaterialSelectProps {
  kind: MaterialKind
  value?: number | null
  onChange?: (id: number | undefined) => void
  /** What is chosen already, for one that is not among the first. */
  known?: { id: number; name: string }
  'aria-label'?: string
}

/** So many are offered; others are found by their names. */
const OFFERED = 50

/** A material of one kind. */
export const MaterialSelect = ({ kind, value, known, ...select }: MaterialSelectProps) => {
  const request = useRequest()
  const mayList = useAllowed()(listGzhMaterials)
  const [text, setText] = useState('')
  const name = useSettled(text) || undefined
  const found = useQuery({
    queryKey: [listGzhMaterials.path, 'choices', kind, name],
    queryFn: ({ signal }) =>
      request(listGzhMaterials, { body: { materialType: kind, name, pageSize: OFFERED } }, { signal }),
    enabled: mayList,
  })
  const choices = (found.data?.list ?? []).map(({ id, name: label }) => ({ id, name: label }))
  const all = known && !choices.some(({ id }) => id === known.id) ? [known, ...choices] : choices
  return (
    <Select
      {...select}
      value={value ?? undefined}
      placeholder="请选择素材"
      showSearch
      allowClear
      filterOption={false}
      loading={found.isFetching}
      onSearch={setText}
      notFoundContent={nothingFound(listGzhMaterials, mayList, found.error, '没有找到，请先在素材库上传')}
      options={all.map(({ id, name: label }) => ({ value: id, label }))}
    />
  )
}
