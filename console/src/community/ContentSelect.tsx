import { Select } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Requester } from '@/api/client'
import { useAllowed } from '@/api/identity'
import type { OperationMeta } from '@/api/operation'
import { useRequest } from '@/api/schoolContext'
import { nothingFound } from '@/kit/nothingFound'
import { useSettled } from '@/kit/useSettled'
import { listBloggers, listCommunityBlogs, listCommunityQuestions } from './api'

export type ContentKind = 'blog' | 'question' | 'blogger'

interface Found {
  id: number
  name: string
}

interface Source {
  list: OperationMeta
  ask: (request: Requester, name: string | undefined) => Promise<Found[]>
}

/** So many are offered; others are found by their names. */
const pageSize = 50

/** What visitors see of each kind, by a part of its name. */
const sources: Record<ContentKind, Source> = {
  blog: {
    list: listCommunityBlogs,
    ask: async (request, title) => {
      const { list } = await request(listCommunityBlogs, { body: { title, visible: true, pageSize } })
      return list.map((blog) => ({ id: blog.id, name: `${blog.title}（${blog.bloggerName}）` }))
    },
  },
  question: {
    list: listCommunityQuestions,
    ask: async (request, title) => {
      const { list } = await request(listCommunityQuestions, { body: { title, auditStatus: 'approved', pageSize } })
      return list.map((question) => ({ id: question.id, name: question.title }))
    },
  },
  blogger: {
    list: listBloggers,
    ask: async (request, bloggerName) => {
      const { list } = await request(listBloggers, { body: { bloggerName, enabled: true, pageSize } })
      return list.map((blogger) => ({ id: blogger.id, name: blogger.bloggerName }))
    },
  },
}

interface ContentSelectProps {
  kind: ContentKind
  value?: number
  onChange?: (id: number | undefined) => void
  /** What is chosen already, for one that is not among the first. */
  known?: Found
  'aria-label'?: string
}

/** A blog, a question or a blogger that visitors see. */
export const ContentSelect = ({ kind, known, ...select }: ContentSelectProps) => {
  const request = useRequest()
  const [text, setText] = useState('')
  const name = useSettled(text) || undefined
  const { list, ask } = sources[kind]
  const mayList = useAllowed()(list)
  const found = useQuery({
    queryKey: [list.path, 'choices', name],
    queryFn: () => ask(request, name),
    enabled: mayList,
  })
  const choices = found.data ?? []
  const all = known && !choices.some(({ id }) => id === known.id) ? [known, ...choices] : choices
  return (
    <Select
      {...select}
      placeholder="输入名称查找"
      showSearch
      allowClear
      filterOption={false}
      loading={found.isFetching}
      onSearch={setText}
      notFoundContent={nothingFound(list, mayList, found.error, '没有找到，请换一个词')}
      options={all.map(({ id, name: label }) => ({ value: id, label }))}
    />
  )
}
