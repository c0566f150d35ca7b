import { Drawer } from '@arco-design/web-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { RowOf } from '@/api/operation'
import { useRequest } from '@/api/schoolContext'
import { step } from '@/kit/actions'
import { DialogName } from '@/kit/DialogName'
import { type DrawerProps, useDrawer } from '@/kit/useDrawer'
import { auditCommunityBlog, deleteBlogComment, listBlogComments, type listCommunityBlogs } from './api'
import { DecideComment, isWaiting } from './Decisions'
import { firstPlace, SAID_PAGE, SaidTable } from './SaidTable'
import { shortened } from './standing'

type Blog = RowOf<typeof listCommunityBlogs>
type Comment = RowOf<typeof listBlogComments>

const Comments = ({ blog }: { blog: Blog }) => {
  const request = useRequest()
  const [place, go] = useState(() => firstPlace(blog.waitingComments))
  const decision = useDrawer<Comment>()
  const query = useQuery({
    queryKey: [listBlogComments.path, blog.id, place],
    queryFn: ({ signal }) => {
      const body = { blogId: blog.id, auditStatus: place.status, pageCurrent: place.page, pageSize: SAID_PAGE }
      return request(listBlogComments, { body }, { signal })
    },
    placeholderData: keepPreviousData,
  })
  return (
    <>
      <SaidTable
        of={listBlogComments}
        query={query}
        place={place}
        go={go}
        mark={({ parentId }) => parentId && '回复'}
        actions={(comment) => [
          {
            label: '审核',
            do: auditCommunityBlog,
            disabled: isWaiting(comment) ? undefined : '该评论已审核',
            onClick: () => decision.open(comment),
          },
          step(deleteBlogComment, {
            label: '删除',
            danger: true,
            with: { query: { id: comment.id } },
            confirm: {
              title: `确定删除“${shortened(comment.content)}”吗？`,
              content: '删除后不能恢复，其下的回复一并删除。',
            },
            done: '已删除评论',
          }),
        ]}
        empty="还没有评论。学员在网站评论后在这里审核。"
      />
      <DecideComment key={decision.key} {...decision.props} blogId={blog.id} rows={query.data?.list ?? []} />
    </>
  )
}

/** 评论: what learners say of a blog. */
export const BlogComments = ({ record, visible, onClose }: DrawerProps<Blog>) => {
  const title = `评论 ${record?.title ?? ''}`
  return (
    <Drawer title={title} width={760} visible={visible} footer={null} onCancel={onClose} unmountOnExit>
      <DialogName name={title} />
      {record && <Comments blog={record} />}
    </Drawer>
  )
}
