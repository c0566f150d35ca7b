import { Select, TreeSelect } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useAllowed } from '@/api/identity'
import type { RowOf } from '@/api/operation'
import { useRequest } from '@/api/schoolContext'
import { nothingFound } from '@/kit/nothingFound'
import type { Choice } from '@/kit/OptionSelect'
import { useSettled } from '@/kit/useSettled'
import { listLecturers } from '@/lecturers/api'
import { listRecordCategories } from './api'

type Category = RowOf<typeof listRecordCategories>

/** So many lecturers are offered; others are found by their names. */
const OFFERED = 50

/** The categories of a kind of course, or of what else has such; none for those who may not look at them. */
export const useCategories = (of: typeof listRecordCategories = listRecordCategories) => {
  const request = useRequest()
  const allowed = useAllowed()
  return useQuery({
    queryKey: [of.path, 'all'],
    queryFn: ({ signal }) => request(of, { body: {} }, { signal }),
    enabled: allowed(of),
  })
}

/** Each category with those above it: `公共课 / 英语`. */
export const flat = (nodes: readonly Category[], above = ''): { value: string; label: string }[] =>
  nodes.flatMap((node) => {
    const label = above + node.categoryName
    return [{ value: String(node.id), label }, ...flat(node.children, `${label} / `)]
  })

/** Lecturers by part of a name; the newest without. */
export const useLecturers = (keyword?: string) => {
  const request = useRequest()
  const allowed = useAllowed()
  return useQuery({
    queryKey: [listLecturers.path, 'choices', keyword],
    queryFn: ({ signal }) => request(listLecturers, { body: { keyword, pageSize: OFFERED } }, { signal }),
    enabled: allowed(listLecturers),
  })
}

interface ChoiceProps {
  value?: number
  onChange?: (id: number | undefined) => void
  'aria-label'?: string
}

/** Nodes that are switched off are shown where they stand, and cannot be chosen anew. */
const nodesOf = (nodes: readonly Category[], chosen: number | undefined): object[] =>
  nodes.map((node) => ({
    key: String(node.id),
    title: node.enabled ? node.categoryName : `${node.categoryName}（停用）`,
    disabled: !node.enabled && node.id !== chosen,
    children: nodesOf(node.children, chosen),
  }))

interface CategorySelectProps extends Omit<ChoiceProps, 'value'> {
  value?: number | null
  /** Recorded courses' unless said. */
  of?: typeof listRecordCategories
  /** There may be none. */
  clearable?: boolean
  placeholder?: string
}

export const CategorySelect = (props: CategorySelectProps) => {
  const { value, onChange, of = listRecordCategories, clearable = false, placeholder = '请选择分类', ...named } = props
  const mayList = useAllowed()(of)
  const found = useCategories(of)
  const chosen = value ?? undefined
  return (
    <TreeSelect
      {...named}
      allowClear={clearable}
      placeholder={placeholder}
      loading={found.isFetching}
      notFoundContent={nothingFound(of, mayList, found.error, '还没有分类，请先新增分类')}
      treeData={nodesOf(found.data ?? [], chosen)}
      value={chosen === undefined ? undefined : String(chosen)}
      onChange={(id?: string) => onChange?.(id ? Number(id) : undefined)}
    />
  )
}

interface LecturerSelectProps extends ChoiceProps {
  /** The chosen one's name, who may not be among the first. */
  known?: Choice
  /** There may be none. */
  clearable?: boolean
}

export const LecturerSelect = ({ value, onChange, known, clearable = false, ...named }: LecturerSelectProps) => {
  const mayList = useAllowed()(listLecturers)
  const [text, setText] = useState('')
  const found = useLecturers(useSettled(text) || undefined)
  const teaching = (found.data?.list ?? [])
    .filter(({ enabled }) => enabled)
    .map(({ id, lecturerName, position }) => ({
      value: id,
      label: position ? `${lecturerName}（${position}）` : lecturerName,
    }))
  const all =
    known && !teaching.some((each) => each.value === known.code)
      ? [{ value: known.code, label: known.desc }, ...teaching]
      : teaching
  return (
    <Select
      {...named}
      allowClear={clearable}
      placeholder="请选择讲师"
      showSearch
      filterOption={false}
      loading={found.isFetching}
      value={value}
      onChange={onChange}
      onSearch={setText}
      notFoundContent={nothingFound(listLecturers, mayList, found.error, '没有找到，请先在“讲师管理”中新增')}
      options={all}
    />
  )
}
