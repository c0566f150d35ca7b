import { Select } from '@arco-design/web-react'
import { isValidElement } from 'react'
import { messageOf } from '@/api/errors'
import { listLiveCategories, listRecordCategories, listResourceCategories } from '@/catalogue/api'
import { flat, useCategories } from '@/catalogue/choices'
import { listQuizCategories } from '@/quizzes/api'

interface CategoriesSelectProps {
  /** Those that were chosen before, which may not be among those that are listed. */
  known: readonly { id: number; name: string }[]
  value?: number[]
  onChange?: (ids: number[]) => void
  'aria-label'?: string
}

/** Categories of all that is sold, each with those above it. */
export const CategoriesSelect = ({ known, value, onChange, ...named }: CategoriesSelectProps) => {
  const kinds = [
    { label: '录播课程', found: useCategories(listRecordCategories) },
    { label: '直播课程', found: useCategories(listLiveCategories) },
    { label: '文库资源', found: useCategories(listResourceCategories) },
    { label: '试卷', found: useCategories(listQuizCategories) },
  ]
  const options = kinds.flatMap(({ label, found }) =>
    flat(found.data ?? []).map((each) => ({ value: Number(each.value), label: `${label}：${each.label}` })),
  )
  const others = known.filter(({ id }) => value?.includes(id) && !options.some((each) => each.value === id))
  const failed = kinds.find(({ found }) => found.isError)
  return (
    <Select
      {...named}
      mode="multiple"
      placeholder="请选择分类"
      showSearch
      filterOption={(text, option: unknown) =>
        isValidElement<{ children?: unknown }>(option) && String(option.props.children).includes(text)
      }
      loading={kinds.some(({ found }) => found.isFetching)}
      value={value ?? []}
      onChange={onChange}
      notFoundContent={failed ? messageOf(failed.found.error) : '还没有分类，请先在课程分类或试卷分类中新增'}
      options={[...others.map(({ id, name }) => ({ value: id, label: name })), ...options]}
    />
  )
}
