import { Select } from '@arco-design/web-react'
import { isValidElement } from 'react'
import { listLiveCategories, listRecordCategories, listResourceCategories } from '@/catalogue/api'
import { flat, useCategories } from '@/catalogue/choices'
import { listQuizCategories } from '@/quizzes/api'

interface CategoriesSelectProps {
  value?: number[]
  onChange?: (ids: number[]) => void
  'aria-label'?: string
}

/** Categories of all that is sold, each with those above it. */
export const CategoriesSelect = ({ value, onChange, ...named }: CategoriesSelectProps) => {
  const kinds = [
    { label: '录播课程', found: useCategories(listRecordCategories) },
    { label: '直播课程', found: useCategories(listLiveCategories) },
    { label: '文库资源', found: useCategories(listResourceCategories) },
    { label: '试卷', found: useCategories(listQuizCategories) },
  ]
  const options = kinds.flatMap(({ label, found }) =>
    flat(found.data ?? []).map((each) => ({ value: Number(each.value), label: `${label}：${each.label}` })),
  )
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
      notFoundContent="还没有分类，请先在课程分类或试卷分类中新增"
      options={options}
    />
  )
}
