import { classes, semesters } from '@/basic_data/choices'
import { courses } from '@/course_opening/choices'
import { SemesterFilter } from '@/course_opening/SemesterFilter'
import { step } from '@/kit/actions'
import { columnsOf } from '@/kit/columns'
import { FilterBar } from '@/kit/FilterBar'
import { OptionFilter, SelectFilter, TextFilter } from '@/kit/filters'
import { formatTime } from '@/kit/format'
import type { Choice } from '@/kit/OptionSelect'
import { QueryTable } from '@/kit/QueryTable'
import { Word } from '@/kit/Status'
import { undoBy } from '@/kit/undo'
import { useDrawer } from '@/kit/useDrawer'
import { useQueryTable } from '@/kit/useQueryTable'
import { historyOf } from '@/logs/RecordHistory'
import { editCourseQa, listCourseQas, replyCourseQa, viewStudyProgress } from './api'
import { ReplyForm } from './ReplyForm'
import { type Question, replyWords } from './studyRules'

const trail = historyOf(viewStudyProgress, 'course_qa')

const marksOf = ({ excellent, hidden }: Question) => (
  <>
    {excellent && <Word tone="good">优质</Word>} {hidden && <Word tone="warning">隐藏</Word>}
  </>
)

const columns = columnsOf(listCourseQas, [
  { field: 'title', width: 220, fixed: 'left' },
  {
    field: 'answered',
    title: '状态',
    width: 84,
    fixed: 'left',
    render: ({ answered }) => <Word tone={answered ? 'good' : 'busy'}>{answered ? '已回复' : '待回复'}</Word>,
  },
  { field: 'studentName', title: '提问人', width: 120 },
  { field: 'studentNo', under: 'studentName' },
  { field: 'courseName', title: '课程', width: 180 },
  { field: 'courseCode', under: 'courseName' },
  { field: 'chapterTitle', title: '章节', width: 160 },
  { field: 'className', title: '班级', width: 160 },
  { field: 'excellent', title: '标记', width: 110, render: marksOf },
  { field: 'createdAt', title: '提问时间', width: 170 },
  { field: 'content', width: 260, hidden: true },
  { field: 'semesterName', title: '学期', width: 150, hidden: true },
])

const yesOrNo = (yes: string, no: string) => [
  { value: 'true', label: yes },
  { value: 'false', label: no },
]

/** A question with its answers in their order. */
const Thread = ({ question }: { question: Question }) => (
  <>
    <h3>{question.title}</h3>
    <p>{question.content}</p>
    <p className="form-hint">
      {question.studentName} 提问于 {formatTime(question.createdAt)}
    </p>
    <ul aria-label="回复">
      {question.replies.map((reply) => (
        <li key={`${reply.at}-${reply.byName}`}>
          <p>{reply.content}</p>
          <p className="form-hint">
            {replyWords[reply.byKind]} {reply.byName} 回复于 {formatTime(reply.at)}
          </p>
        </li>
      ))}
    </ul>
    {question.replies.length === 0 && <p className="nothing">还没有回复。</p>}
    {trail(question)}
  </>
)

/** 课程答疑: what students ask, and who answers. */
export const Questions = ({ semester }: { semester: Choice | undefined }) => {
  const table = useQueryTable(listCourseQas, { usual: { semesterId: semester?.code } })
  const reply = useDrawer<Question>()
  const marked = (row: Question, change: Partial<Pick<Question, 'excellent' | 'hidden'>>) => ({
    body: { id: row.id, version: row.version, excellent: row.excellent, hidden: row.hidden, ...change },
  })
  /** As it was, one version further. */
  const unmarked = (row: Question) => () => undoBy(editCourseQa, marked({ ...row, version: row.version + 1 }, {}))
  return (
    <>
      <FilterBar table={table}>
        <SemesterFilter of={listCourseQas} field="semesterId" {...semesters} usual={semester} />
        <TextFilter of={listCourseQas} field="title" />
        <OptionFilter of={listCourseQas} field="courseId" {...courses} />
        <OptionFilter of={listCourseQas} field="classId" {...classes} />
        <SelectFilter of={listCourseQas} field="answered" label="回复状态" options={yesOrNo('已回复', '待回复')} />
        <SelectFilter of={listCourseQas} field="excellent" options={yesOrNo('优质', '普通')} />
        <SelectFilter of={listCourseQas} field="hidden" options={yesOrNo('已隐藏', '显示中')} />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={({ title }) => title}
        file={(row) => <Thread question={row} />}
        actionsWidth={200}
        actions={(row) => [
          { label: '回复', do: replyCourseQa, onClick: () => reply.open(row) },
          step(editCourseQa, {
            label: row.excellent ? '取消优质' : '标为优质',
            with: marked(row, { excellent: !row.excellent }),
            done: row.excellent ? '已取消优质' : '已标为优质',
            undo: unmarked(row),
          }),
          step(editCourseQa, {
            label: row.hidden ? '恢复显示' : '隐藏',
            with: marked(row, { hidden: !row.hidden }),
            done: row.hidden ? '已恢复显示' : '已隐藏，仅提问人可见',
            undo: unmarked(row),
          }),
          { label: '查看', do: listCourseQas, onClick: () => table.open(row) },
        ]}
        empty="还没有提问。学生在课程学习中提出的问题在这里显示。"
      />
      <ReplyForm key={`reply-${reply.key}`} {...reply.props} />
    </>
  )
}
