import { Button } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useIdentity } from '@/api/identity'
import { useCall, useRequest } from '@/api/schoolContext'
import { sites } from '@/basic_data/choices'
import { type RowAction, step } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { DateRangeFilter, EnumFilter, OptionFilter, SelectFilter, TextFilter } from '@/kit/filters'
import { Loaded } from '@/kit/Loaded'
import { labelOf } from '@/kit/labels'
import { QueryTable } from '@/kit/QueryTable'
import { Word } from '@/kit/Status'
import { useDrawer } from '@/kit/useDrawer'
import { useQueryTable } from '@/kit/useQueryTable'
import { SchoolFilter } from '@/schools/SchoolFilter'
import { type ArticleDraft, ArticleDrawer } from './ArticleDrawer'
import { AppendForm, AskForm } from './AskForm'
import { AssignDialog } from './AssignDialog'
import {
  appendSchoolHelpQuestion,
  askSchoolHelpQuestion,
  closeSchoolHelpQuestion,
  listStudentHelpQuestions,
} from './api'
import { CategoryTree } from './CategoryTree'
import { CloseDialog } from './CloseDialog'
import { CategoryFilter } from './categories'
import type { Desk, Question } from './desks'
import { ReplyForm } from './ReplyForm'
import { articleOf, can, filterOf, questionTones, waited } from './supportRules'
import { Thread } from './Thread'
import './support.css'

const YES = [{ value: 'true', label: '是' }]
const SATISFIED = [
  { value: 'true', label: '满意' },
  { value: 'false', label: '不满意' },
]

/** The columns of the file, which is another than that of the articles. */
const SHEET = [
  '标题',
  '分类',
  '院校',
  '提问人',
  '提问人类别',
  '站点',
  '班级',
  '提问时间',
  '等待时长(分钟)',
  '状态',
  '负责人',
  '回复时间',
  '满意',
]

const NOTHING = <span className="nothing">—</span>

// The columns are the same at every desk, but for where an asker is.
const columnsAt = (ofStaff: boolean) =>
  columnsOf(listStudentHelpQuestions, [
    { field: 'title', width: 260, fixed: 'left' },
    { field: 'status', width: 90, fixed: 'left', tones: questionTones },
    {
      field: 'askerName',
      width: 150,
      render: ({ askerName, askerKind }) => (
        <>
          {askerName} <span className="nothing">{labelOf(listStudentHelpQuestions, 'askerKind', askerKind)}</span>
        </>
      ),
    },
    ofStaff ? { field: 'schoolName', width: 180 } : { field: 'siteName', width: 150 },
    { field: 'categoryName', width: 160 },
    { field: 'createdAt', width: 170 },
    {
      field: 'waitingMinutes',
      title: '等待时长',
      help: '待回复的咨询从最近一次提问起算',
      width: 120,
      align: 'left',
      render: ({ waitingMinutes }) => waited(waitingMinutes),
    },
    { field: 'assignedName', width: 110 },
    {
      field: 'satisfied',
      width: 90,
      render: ({ satisfied }) =>
        satisfied == null ? NOTHING : <Word tone={satisfied ? 'good' : 'bad'}>{satisfied ? '满意' : '不满意'}</Word>,
    },
    {
      field: 'pendingReview',
      title: '标记',
      width: 150,
      render: ({ pendingReview, asArticleId }) => (
        <>
          {pendingReview && <Word tone="warning">待审</Word>}
          {asArticleId != null && <Word tone="busy">已转为文章</Word>}
        </>
      ),
    },
    { field: 'className', width: 150, hidden: true },
    { field: 'repliedAt', width: 170, hidden: true },
    { field: 'closedAt', width: 170, hidden: true },
  ])

const columns = columnsAt(false)
const columnsOfStaff = columnsAt(true)

/** A question with all that was said. */
const QuestionFile = ({ desk, id }: { desk: Desk; id: number }) => {
  const request = useRequest()
  const query = useQuery({
    queryKey: [desk.question.path, id],
    queryFn: ({ signal }) => request(desk.question, { query: { id } }, { signal }),
  })
  return <Loaded query={query}>{(question) => <Thread question={question} />}</Loaded>
}

/** Reads a question and opens an article with its words. */
const useConversion = (desk: Desk, open: (draft: ArticleDraft) => void) => {
  const call = useCall()
  return useMutation({
    mutationFn: ({ id }: Question) => call(desk.question, { query: { id } }),
    onSuccess: (question) =>
      open({ categoryId: question.categoryId, question: { id: question.id, ...articleOf(question) } }),
  })
}

interface QuestionsProps {
  desk: Desk
}

/** 咨询: what people ask and what they are answered; staff of a school see here what they ask the operators. */
export const Questions = ({ desk }: QuestionsProps) => {
  const inside = useIdentity((state) => state.account?.area) === 'school'
  const ofStaff = desk.ofStaff === true
  const asks = ofStaff && inside
  const table = useQueryTable(desk.questions)
  const category = table.filters.categoryId ? Number(table.filters.categoryId) : undefined
  const ask = useDrawer<never>()
  const append = useDrawer<Question>()
  const reply = useDrawer<Question>()
  const article = useDrawer<ArticleDraft>()
  const [closing, setClosing] = useState<Question>()
  const [assigning, setAssigning] = useState<readonly number[]>()
  const conversion = useConversion(desk, (draft) => article.open(draft))

  const ofAsker = (question: Question): readonly RowAction[] => [
    {
      label: '追问',
      do: appendSchoolHelpQuestion,
      disabled: can.append(question),
      onClick: () => append.open(question),
    },
    { label: '关闭', do: closeSchoolHelpQuestion, disabled: can.end(question), onClick: () => setClosing(question) },
  ]
  const ofOffice = (question: Question): readonly RowAction[] => [
    { label: '回复', do: desk.reply, disabled: can.answer(question), onClick: () => reply.open(question) },
    { label: '分派', do: desk.assign, disabled: can.answer(question), onClick: () => setAssigning([question.id]) },
    {
      label: '转为文章',
      do: desk.save,
      disabled: can.becomeArticle(question) ?? (conversion.isPending ? '正在读取咨询' : undefined),
      onClick: () => conversion.mutate(question),
    },
    step(desk.reply, {
      label: '关闭',
      danger: true,
      disabled: can.answer(question),
      with: { body: { id: question.id, version: question.version, content: '', close: true } },
      confirm: { title: `关闭咨询“${question.title}”？`, content: '关闭后不能再回复，提问人也不能追问。' },
      done: `已关闭“${question.title}”`,
    }),
  ]

  return (
    <div className="help-desk">
      <CategoryTree
        desk={desk}
        source={asks ? 'platform' : undefined}
        own={false}
        counted={false}
        value={category}
        onChange={(id) => table.setFilters({ categoryId: id === undefined ? undefined : String(id) })}
      />
      <div className="help-list">
        <FilterBar table={table}>
          <TextFilter of={desk.questions} field="title" />
          <EnumFilter of={desk.questions} field="status" />
          <TextFilter of={desk.questions} field="asker" />
          <SelectFilter of={desk.questions} field="satisfied" options={SATISFIED} />
          <DateRangeFilter of={desk.questions} from="createdFrom" to="createdTo" label="提问日期" />
          <CategoryFilter desk={desk} source={asks ? 'platform' : undefined} field="categoryId" />
          {ofStaff && !inside && <SchoolFilter of={desk.questions} field="schoolId" />}
          {!ofStaff && <OptionFilter of={desk.questions} field="siteId" {...sites} />}
          {asks ? (
            <SelectFilter of={desk.questions} field="own" options={YES} />
          ) : (
            <SelectFilter of={desk.questions} field="mine" options={YES} />
          )}
        </FilterBar>
        <QueryTable
          table={table}
          columns={ofStaff ? columnsOfStaff : columns}
          nameOf={({ title }) => title}
          actionsWidth={200}
          actions={asks ? ofAsker : ofOffice}
          file={({ id }) => <QuestionFile desk={desk} id={id} />}
          primary={
            asks && (
              <Can do={askSchoolHelpQuestion}>
                <Button type="primary" icon={<IconPlus />} onClick={() => ask.open()}>
                  新增咨询
                </Button>
              </Can>
            )
          }
          tools={
            <ExportButton
              do={desk.export}
              table={{ body: { part: 'questions', questions: filterOf(table.body) }, total: table.total }}
              columns={SHEET}
            />
          }
          bulk={asks ? [] : [{ label: '批量分派', do: desk.assign, open: setAssigning }]}
          empty={
            asks
              ? '还没有向平台提过咨询。点击“新增咨询”向平台提问。'
              : `还没有咨询。${ofStaff ? '院校人员' : '读者'}在帮助中心提问后在这里回复。`
          }
        />
      </div>
      <AskForm key={`ask-${ask.key}`} {...ask.props} />
      <AppendForm key={`append-${append.key}`} {...append.props} />
      <ReplyForm key={`reply-${reply.key}`} {...reply.props} desk={desk} />
      <ArticleDrawer key={`article-${article.key}`} {...article.props} desk={desk} />
      {closing && <CloseDialog question={closing} onClose={() => setClosing(undefined)} />}
      {assigning && (
        <AssignDialog
          desk={desk}
          ids={assigning}
          done={(failed) => table.tickRows(failed)}
          onClose={() => setAssigning(undefined)}
        />
      )}
    </div>
  )
}
