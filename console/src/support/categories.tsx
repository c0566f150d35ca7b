import { Select } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { useRequest } from '@/api/schoolContext'
import type { Desk, Source } from './desks'
import { namedCategories } from './supportRules'

/** The categories of an audience: the own ones, or in a school those of the platform. */
export const useCategories = (desk: Desk, source?: Source) => {
  const request = useRequest()
  return useQuery({
    queryKey: [desk.categories.path, source],
    queryFn: ({ signal }) => request(desk.categories, { body: { source } }, { signal }),
  })
}

interface CategorySelectProps {
  desk: Desk
  value?: number
  onChange?: (id: number | undefined) => void
  'aria-label'?: string
}

/** One of the own categories; what is switched off takes no new article. */
export const CategorySelect = ({ desk, value, onChange, 'aria-label': label = '分类' }: CategorySelectProps) => {
  const categories = namedCategories(useCategories(desk).data ?? [])
  return (
    <Select
      aria-label={label}
      placeholder="请选择"
      allowClear
      showSearch
      value={value}
      onChange={onChange}
      notFoundContent="还没有分类，请先新增分类"
      options={categories.map(({ id, name, enabled }) => ({
        value: id,
        label: enabled ? name : `${name}（停用）`,
        disabled: !enabled && id !== value,
      }))}
    />
  )
}
