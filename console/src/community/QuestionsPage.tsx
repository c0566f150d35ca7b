import type { RowOf } from '@/api/operation'
import { bulkStep, byState, step } from '@/kit/actions'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { DateRangeFilter, TextFilter, YesNoFilter } from '@/kit/filters'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { countOf, Segments } from '@/kit/Segments'
import { askRemoval, removal } from '@/kit/steps'
import { undoBy } from '@/kit/undo'
import { useDrawer } from '@/kit/useDrawer'
import { useQueryTable } from '@/kit/useQueryTable'
import { historyOf } from '@/logs/RecordHistory'
import { Answers } from './Answers'
import {
  auditCommunityQuestion,
  closeCommunityQuestion,
  deleteCommunityQuestion,
  deleteCommunityQuestions,
  exportCommunityQuestions,
  listCommunityAnswers,
  listCommunityQuestions,
  viewCommunityQuestion,
} from './api'
import { DecideQuestion, isWaiting, WAITING } from './Decisions'
import { STATUS_TONES } from './standing'
import { QuestionText } from './Texts'

type Question = RowOf<typeof listCommunityQuestions>

const columns = columnsOf(listCommunityQuestions, [
  { field: 'title', width: 300, fixed: 'left' },
  { field: 'auditStatus', width: 90, fixed: 'left', tones: STATUS_TONES },
  { field: 'waitingAnswers', title: '待审回答', width: 100 },
  { field: 'answerCount', width: 80 },
  { field: 'learnerName', width: 110 },
  { field: 'labels', width: 160 },
  { field: 'closed', width: 80 },
  { field: 'accepted', width: 80 },
  'createdAt',
  { field: 'auditOpinion', width: 200, hidden: true },
  { field: 'auditorName', width: 100, hidden: true },
  { field: 'auditedAt', hidden: true },
])

const nameOf = ({ title }: Question) => title

const closing = ({ id, title, closed, version }: Question) =>
  step(closeCommunityQuestion, {
    label: closed ? '重新打开' : '关闭',
    with: { body: { id, closed: !closed, version } },
    confirm: closed ? undefined : { title: `关闭“${title}”？`, content: '不能再回答，已有的回答仍然显示。' },
    done: closed ? '已重新打开' : '已关闭',
    undo: () => undoBy(closeCommunityQuestion, { body: { id, closed, version: version + 1 } }),
  })

/** 问答管理: what learners ask, and what others answer. */
export const QuestionsPage = () => {
  const table = useQueryTable(listCommunityQuestions)
  const decision = useDrawer<Question>()
  const answers = useDrawer<Question>()
  return (
    <Page title="问答管理" help="学员的提问和回答；采纳的回答排在最前，删除问题会一并删除其回答。" personal>
      <Segments table={table} field="auditStatus" label="审核状态" />
      <FilterBar table={table}>
        <TextFilter of={listCommunityQuestions} field="title" />
        <TextFilter of={listCommunityQuestions} field="learnerName" />
        <YesNoFilter of={listCommunityQuestions} field="closed" />
        <YesNoFilter of={listCommunityQuestions} field="accepted" />
        <DateRangeFilter of={listCommunityQuestions} from="createdFrom" to="createdTo" label="提问日期" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={nameOf}
        tools={<ExportButton do={exportCommunityQuestions} table={table} />}
        bulk={[
          bulkStep(deleteCommunityQuestions, {
            label: '批量删除',
            danger: true,
            confirm: askRemoval('问题'),
            input: (ids) => ({ body: { ids } }),
          }),
        ]}
        file={(question) => <QuestionText id={question.id} />}
        detail={historyOf(viewCommunityQuestion, 'community_question')}
        actionsWidth={230}
        actions={(question) =>
          byState([
            {
              label: '审核',
              do: auditCommunityQuestion,
              disabled: isWaiting(question) ? undefined : '该问题已审核',
              onClick: () => decision.open(question),
            },
            { label: '回答', do: listCommunityAnswers, onClick: () => answers.open(question) },
            closing(question),
            removal(deleteCommunityQuestion, { id: question.id, name: nameOf(question) }),
          ])
        }
        empty="还没有提问。学员在网站提问后在这里审核。"
      />
      <DecideQuestion
        key={decision.key}
        {...decision.props}
        rows={table.rows}
        waiting={countOf(table.segments, WAITING)}
      />
      <Answers key={`answers-${answers.key}`} {...answers.props} />
    </Page>
  )
}
