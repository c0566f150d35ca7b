import { Select } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { isValidElement } from 'react'
import { messageOf } from '@/api/errors'
import { useRequest } from '@/api/schoolContext'
import { useDraft } from '@/kit/draft'
import { Labelled } from '@/kit/filters'
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

/** Whether a choice has what was typed to find it. */
export const hasWords = (typed: string, option: unknown) =>
  isValidElement<{ children?: unknown }>(option) && String(option.props.children).includes(typed)

/** What an empty choice says: nothing while it is fetched, what went wrong, or that there is none. */
export const notFound = ({ data, error }: { data: unknown; error: unknown }, none: string) => {
  if (error) return messageOf(error)
  return data === undefined ? null : none
}

interface CategorySelectProps {
  desk: Desk
  source?: Source
  value?: number
  onChange?: (id: number | undefined) => void
  'aria-label'?: string
}

/** One of the categories, the own ones unless another source is named; what is switched off takes nothing new. */
export const CategorySelect = ({
  desk,
  source,
  value,
  onChange,
  'aria-label': label = '分类',
}: CategorySelectProps) => {
  const query = useCategories(desk, source)
  const categories = namedCategories(query.data ?? [])
  return (
    <Select
      aria-label={label}
      placeholder="请选择"
      allowClear
      showSearch
      filterOption={hasWords}
      value={value}
      onChange={onChange}
      loading={query.isFetching}
      notFoundContent={notFound(query, source ? '还没有分类' : '还没有分类，请先新增分类')}
      options={categories.map(({ id, name, enabled }) => ({
        value: id,
        label: enabled ? name : `${name}（停用）`,
        disabled: !enabled && id !== value,
      }))}
    />
  )
}

interface CategoryFilterProps {
  desk: Desk
  source: Source | undefined
  field: 'categoryId'
}

/** The category of the tree as a filter, so that what is searched for is told in words. */
export const CategoryFilter = ({ desk, source, field }: CategoryFilterProps) => {
  const draft = useDraft()
  const categories = namedCategories(useCategories(desk, source).data ?? [])
  const value = draft.valueOf(field)
  return (
    <Labelled label="分类" fields={[field]} words={categories.find(({ id }) => String(id) === value)?.name ?? value}>
      <Select
        aria-label="分类"
        placeholder="全部"
        allowClear
        showSearch
        filterOption={hasWords}
        value={value}
        options={categories.map(({ id, name }) => ({ value: String(id), label: name }))}
        onChange={(chosen: string | undefined) => draft.set({ [field]: chosen }, true)}
      />
    </Labelled>
  )
}
