import { useQuery } from '@tanstack/react-query'
import type { RowOf } from '@/api/operation'
import { useCall } from '@/api/schoolContext'
import { coursesOf } from '@/catalogue/CourseSelect'
import { placeOfProduct } from '@/catalogue/places'
import { bulkStep, byState, step } from '@/kit/actions'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { DateRangeFilter, TextFilter } from '@/kit/filters'
import { formatTime } from '@/kit/format'
import { Lead } from '@/kit/Lead'
import { Loaded } from '@/kit/Loaded'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { countOf, Segments } from '@/kit/Segments'
import { askRemoval, removal } from '@/kit/steps'
import { undoBy } from '@/kit/undo'
import { useDrawer } from '@/kit/useDrawer'
import { useQueryTable } from '@/kit/useQueryTable'
import { historyOf } from '@/logs/RecordHistory'
import {
  auditCourseComment,
  auditCourseComments,
  deleteCourseComment,
  deleteCourseComments,
  exportCourseComments,
  listCourseComments,
  replyCourseComment,
  topCourseComment,
  viewCourseComment,
} from './api'
import { DecideComment, isWaiting, nameOf, ReplyComment, WAITING } from './CommentForms'

type Comment = RowOf<typeof listCourseComments>

const columns = columnsOf(listCourseComments, [
  { field: 'content', width: 320, fixed: 'left' },
  { field: 'auditStatus', width: 90, fixed: 'left', tones: { pending: 'busy', approved: 'good', rejected: 'bad' } },
  {
    field: 'courseName',
    width: 200,
    render: ({ courseType, courseId, courseName }) => (
      <Lead do={coursesOf[courseType]} to={placeOfProduct(courseType, courseId, courseName)}>
        {courseName}
      </Lead>
    ),
  },
  { field: 'courseType', width: 110, hidden: true },
  { field: 'learnerName', width: 110 },
  { field: 'isTop', width: 70 },
  { field: 'likeCount', width: 70 },
  { field: 'answerCount', width: 80 },
  'createdAt',
  { field: 'byOperator', width: 110, hidden: true },
  { field: 'auditOpinion', width: 200, hidden: true },
  { field: 'ip', width: 140, hidden: true },
])

/** A comment with what was answered. */
const CommentFile = ({ id }: { id: number }) => {
  const call = useCall()
  const query = useQuery({
    queryKey: [listCourseComments.path, viewCourseComment.path, id],
    queryFn: () => call(viewCourseComment, { query: { id } }),
  })
  return (
    <Loaded query={query}>
      {({ courseName, learnerName, content, createdAt, answers }) => (
        <>
          <p>
            {learnerName}，{formatTime(createdAt)}，{courseName}
          </p>
          <p>{content}</p>
          {answers.map((answer) => (
            <p key={answer.id}>
              {answer.learnerName}，{formatTime(answer.createdAt)}：{answer.content}
            </p>
          ))}
        </>
      )}
    </Loaded>
  )
}

/** 课程评论: what learners say of courses. */
export const CommentsPage = () => {
  const table = useQueryTable(listCourseComments)
  const decision = useDrawer<Comment>()
  const reply = useDrawer<Comment>()
  return (
    <Page title="课程评论" help="含敏感词或开启先审后发时，评论审核通过后才显示；删除评论会一并删除其回复。" personal>
      <Segments table={table} field="auditStatus" label="审核状态" />
      <FilterBar table={table}>
        <TextFilter of={listCourseComments} field="courseName" />
        <TextFilter of={listCourseComments} field="learnerName" />
        <TextFilter of={listCourseComments} field="content" />
        <DateRangeFilter of={listCourseComments} from="createdFrom" to="createdTo" label="发表日期" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={nameOf}
        tools={<ExportButton do={exportCourseComments} table={table} />}
        bulk={[
          bulkStep(auditCourseComments, {
            label: '批量通过',
            confirm: (count) => ({ title: `通过选中的${count}条评论？`, content: '通过后立即显示。' }),
            input: (ids) => ({ body: { ids, auditStatus: 'approved' } }),
          }),
          bulkStep(deleteCourseComments, {
            label: '批量删除',
            danger: true,
            confirm: askRemoval('评论'),
            input: (ids) => ({ body: { ids } }),
          }),
        ]}
        file={(comment) => <CommentFile id={comment.id} />}
        detail={historyOf(viewCourseComment, 'course_comment')}
        actionsWidth={220}
        actions={(comment) =>
          byState([
            {
              label: '审核',
              do: auditCourseComment,
              disabled: isWaiting(comment) ? undefined : '该评论已审核',
              onClick: () => decision.open(comment),
            },
            {
              label: '回复',
              do: replyCourseComment,
              disabled: comment.auditStatus === 'approved' ? undefined : '评论审核通过后才能回复',
              onClick: () => reply.open(comment),
            },
            step(topCourseComment, {
              label: comment.isTop ? '取消置顶' : '置顶',
              with: { body: { id: comment.id, isTop: !comment.isTop, version: comment.version } },
              disabled:
                comment.parentId !== null && comment.parentId !== undefined
                  ? '回复不能置顶'
                  : comment.auditStatus === 'approved'
                    ? undefined
                    : '评论审核通过后才能置顶',
              done: comment.isTop ? '已取消置顶' : '已置顶',
              undo: () =>
                undoBy(topCourseComment, {
                  body: { id: comment.id, isTop: comment.isTop, version: comment.version + 1 },
                }),
            }),
            removal(deleteCourseComment, { id: comment.id, name: nameOf(comment) }),
          ])
        }
        empty="还没有课程评论。学员在网站评论课程后在这里审核和回复。"
      />
      <DecideComment
        key={decision.key}
        {...decision.props}
        rows={table.rows}
        waiting={countOf(table.segments, WAITING)}
      />
      <ReplyComment key={`reply-${reply.key}`} {...reply.props} />
    </Page>
  )
}
