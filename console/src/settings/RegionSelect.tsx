import { Cascader } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { call } from '@/api/client'
import { listRegions } from './api'

interface RegionSelectProps {
  value?: string
  onChange?: (code: string | undefined) => void
  'aria-label'?: string
}

interface Node {
  value: string
  label: string
  isLeaf: boolean
}

const lastOf = (chosen: unknown) => {
  const last: unknown = Array.isArray(chosen) ? chosen.at(-1) : chosen
  return typeof last === 'string' ? last : undefined
}

const children = async (parent: string | undefined): Promise<Node[]> => {
  const regions = await call(listRegions, { query: { parent } })
  return regions.map(({ code, name, hasChildren }) => ({ value: code, label: name, isLeaf: !hasChildren }))
}

/** 省、市、县 by GB/T 2260; each level is asked of the server when it is opened. */
export const RegionSelect = ({ value, onChange, ...rest }: RegionSelectProps) => {
  const provinces = useQuery({
    queryKey: [listRegions.path],
    queryFn: () => children(undefined),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <Cascader
      {...rest}
      allowClear
      changeOnSelect
      placeholder="请选择省、市、县"
      options={provinces.data ?? []}
      value={value ? [value] : undefined}
      onChange={(chosen) => onChange?.(lastOf(chosen))}
      loadMore={async (path) => children(String(path.at(-1)))}
    />
  )
}

/** A code of GB/T 2260 begins with that of its province and of its city. */
const named = async (code: string) => {
  for (const parent of [undefined, `${code.slice(0, 2)}0000`, `${code.slice(0, 4)}00`]) {
    const found = (await children(parent)).find(({ value }) => value === code)
    if (found) return found.label
  }
  return code
}

/** A region by its name. */
export const RegionName = ({ code }: { code: string }) => {
  const { data = code } = useQuery({
    queryKey: [listRegions.path, 'name', code],
    queryFn: () => named(code),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return data
}
