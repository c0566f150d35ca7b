import { Select, TreeSelect } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '@/api/errors'
import { useAllowed } from '@/api/identity'
import type { RowOf } from '@/api/operation'
import { useRequest } from '@/api/schoolContext'
import { useSettled } from '@/kit/useSettled'
import { listQuizCategories, listQuizProblemCategories, listQuizzes } from './api'

type Category = RowOf<typeof listQuizCategories>

/** What stands in the categories. */
export type CategoryOf = 'exam' | 'problem'

const lists = { exam: listQuizCategories, problem: listQuizProblemCategories }

/** The categories of a kind; none for those who may not look at them. */
export const useQuizCategories = (of: CategoryOf) => {
  const request = useRequest()
  const allowed = useAllowed()
  const list = lists[of]
  return useQuery({
    queryKey: [list.path, 'all'],
    queryFn: ({ signal }) => request(list, { body: {} }, { signal }),
    enabled: allowed(list),
  })
}

/** Nodes that are switched off are shown where they stand, and cannot be chosen anew. */
const nodesOf = (nodes: readonly Category[], chosen: number | undefined): object[] =>
  nodes.map((node) => ({
    key: String(node.id),
    title: node.enabled ? node.categoryName : `${node.categoryName}（停用）`,
    disabled: !node.enabled && node.id !== chosen,
    children: nodesOf(node.children, chosen),
  }))

interface CategorySelectProps {
  of: CategoryOf
  value?: number | null
  onChange?: (id: number | undefined) => void
  clearable?: boolean
  placeholder?: string
  'aria-label'?: string
}

export const CategorySelect = (props: CategorySelectProps) => {
  const { of, value, onChange, clearable = false, placeholder = '请选择分类', ...named } = props
  const found = useQuizCategories(of)
  const chosen = value ?? undefined
  return (
    <TreeSelect
      {...named}
      allowClear={clearable}
      placeholder={placeholder}
      loading={found.isFetching}
      notFoundContent={found.isError ? messageOf(found.error) : '还没有分类，请先新增'}
      treeData={nodesOf(found.data ?? [], chosen)}
      value={chosen === undefined ? undefined : String(chosen)}
      onChange={(id?: string) => onChange?.(id ? Number(id) : undefined)}
    />
  )
}

/** So many exams are offered; others are found by their names. */
const OFFERED = 50

interface QuizSelectProps {
  value?: number
  onChange?: (id: number | undefined) => void
  /** The chosen one's name, who may not be among the first. */
  known?: { id: number; name: string }
  /** Only those that were approved once. */
  published?: boolean
  disabled?: boolean
  'aria-label'?: string
}

/** An exam, by a part of its name. */
export const QuizSelect = ({ value, onChange, known, published = false, ...named }: QuizSelectProps) => {
  const request = useRequest()
  const allowed = useAllowed()
  const [text, setText] = useState('')
  const examName = useSettled(text) || undefined
  const auditStatus = published ? 'approved' : undefined
  const found = useQuery({
    queryKey: [listQuizzes.path, 'choices', examName, auditStatus],
    queryFn: ({ signal }) => request(listQuizzes, { body: { examName, auditStatus, pageSize: OFFERED } }, { signal }),
    enabled: allowed(listQuizzes),
  })
  const exams = (found.data?.list ?? []).map(({ id, examName: label }) => ({ value: id, label }))
  const all =
    known && !exams.some((each) => each.value === known.id) ? [{ value: known.id, label: known.name }, ...exams] : exams
  return (
    <Select
      {...named}
      placeholder="请选择试卷"
      showSearch
      filterOption={false}
      loading={found.isFetching}
      value={value}
      onChange={onChange}
      onSearch={setText}
      notFoundContent={found.isError ? messageOf(found.error) : '没有找到，请换一个词'}
      options={all}
    />
  )
}
