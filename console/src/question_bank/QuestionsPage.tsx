import { Button, Dropdown, Menu } from '@arco-design/web-react'
import { IconDown, IconPlus } from '@arco-design/web-react/icon'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { useAllowed } from '@/api/identity'
import { listOptions } from '@/api/infra'
import { isOverAll, useRequest, useSchoolContext } from '@/api/schoolContext'
import { allCourseOptions } from '@/courses/CourseSelect'
import { bulkStep, type RowAction, step, withSchool } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { EnumFilter, NumberFilter, OptionFilter, TextFilter } from '@/kit/filters'
import { MoreTools } from '@/kit/MoreTools'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { Segments } from '@/kit/Segments'
import { askRemoval } from '@/kit/steps'
import { undoBy } from '@/kit/undo'
import { useDrawer } from '@/kit/useDrawer'
import { usePlaces } from '@/kit/usePlaces'
import { useQueryTable } from '@/kit/useQueryTable'
import {
  auditQuestions,
  changeQuestionStatus,
  deleteQuestion,
  deleteQuestions,
  editQuestion,
  editQuestions,
  exportQuestions,
  importQuestions,
  importQuestionText,
  listQuestions,
  moveQuestions,
  rejectQuestions,
  saveQuestion,
  submitQuestions,
  viewQuestion,
  viewQuestionBank,
} from './api'
import { BankTree } from './BankTree'
import { allBankOptions } from './choices'
import { QuestionFile } from './QuestionFile'
import { QuestionImports } from './QuestionImports'
import { BatchForm, MoveForm, RejectForm, type Ticked } from './QuestionSteps'
import { questionColumns } from './questionColumns'
import type { Question } from './questionRules'
import { TextExport } from './TextExport'
import './questionBank.css'

const NAME_LENGTH = 20

/** What a question is called where one is meant. */
const nameOf = ({ id, stemText }: Question) => {
  const start = [...stemText].slice(0, NAME_LENGTH).join('')
  return start ? `${id} ${start}${stemText.length > NAME_LENGTH ? '…' : ''}` : String(id)
}

const itemOf = (row: Question) => withSchool(row, { id: row.id, version: row.version })

const useTable = () => useQueryTable(listQuestions)

/** The forms that steps over questions ask for something in. */
const useForms = () => ({ reject: useDrawer<Ticked>(), move: useDrawer<Ticked>(), set: useDrawer<Ticked>() })

/** What follows from the state of a question. */
const stepsOf = (row: Question, forms: ReturnType<typeof useForms>): RowAction[] => {
  const name = nameOf(row)
  const items = [itemOf(row)]
  const one: Ticked = {
    rows: { items },
    ids: [row.id],
    count: 1,
    courseId: row.courseId,
    done: () => {},
  }
  const submit = step(submitQuestions, { label: '提交', with: { body: { items } }, done: `已提交试题${row.id}` })
  const change = step(changeQuestionStatus, {
    label: row.status === 'enabled' ? '停用' : '启用',
    with: { body: { id: row.id, enabled: row.status !== 'enabled', version: row.version } },
    confirm:
      row.status === 'enabled'
        ? { title: `停用试题“${name}”？`, content: '含有这道题的试卷不能提交，定稿的试卷不受影响。' }
        : undefined,
    done: row.status === 'enabled' ? `已停用试题${row.id}` : `已启用试题${row.id}`,
    undo: () =>
      undoBy(changeQuestionStatus, {
        body: { id: row.id, enabled: row.status === 'enabled', version: row.version + 1 },
      }),
  })
  const review = [
    step(auditQuestions, { label: '审核通过', with: { body: { items } }, done: `已通过试题${row.id}` }),
    { label: '退回', do: rejectQuestions, danger: true, onClick: () => forms.reject.open(one) },
  ]
  const byState: Record<Question['status'], RowAction[]> = {
    draft: [submit],
    rejected: [submit],
    pending_review: review,
    enabled: [change],
    disabled: [change],
  }
  return [...byState[row.status], { label: '移动到题库', do: moveQuestions, onClick: () => forms.move.open(one) }]
}

/** 试题列表: the questions of all banks that one may see, narrowed by the tree of courses, banks and chapters. */
export const QuestionsPage = () => {
  const table = useTable()
  const navigate = useNavigate()
  const places = usePlaces()
  const overAll = isOverAll(useSchoolContext())
  const forms = useForms()
  const numberOf = (field: string) => Number(table.filters[field]) || undefined
  const courseId = numberOf('courseId')
  const bankId = numberOf('bankId')
  const chapterId = numberOf('chapterId')
  const ticked = (ids: readonly number[]): Ticked => {
    const courses = new Set(table.tickedRows.map((row) => row.courseId))
    return {
      rows: { items: table.tickedRows.map(itemOf) },
      ids,
      count: ids.length,
      courseId: courses.size === 1 ? [...courses][0] : undefined,
      done: (failed) => (failed ? table.tickRows(failed) : table.clearSelection()),
    }
  }
  const add = (type: string) => navigate(places('questionAdd', { bankId, type, chapterId }))
  const allowed = useAllowed()
  const request = useRequest()
  // The bank in which a new question goes has a name also while it has no question.
  const bank = useQuery({
    queryKey: [viewQuestionBank.path, bankId],
    queryFn: ({ signal }) => request(viewQuestionBank, { query: { id: bankId } }, { signal }),
    enabled: bankId !== undefined && !overAll && allowed(viewQuestionBank),
  })
  return (
    <Page title="试题列表" help="按课程、题库和章节管理试题；定稿试卷中的试题不随修改变化。">
      <div className={overAll ? 'questions questions-whole' : 'questions'}>
        {!overAll && (
          <BankTree
            at={{
              courseId,
              bankId,
              chapterId,
            }}
            choose={(place) =>
              table.setFilters({
                courseId: place.courseId === undefined ? undefined : String(place.courseId),
                bankId: place.bankId === undefined ? undefined : String(place.bankId),
                chapterId: place.chapterId === undefined ? undefined : String(place.chapterId),
                knowledgePointId: undefined,
              })
            }
          />
        )}
        <div className="questions-list">
          <FilterBar table={table}>
            <TextFilter of={listQuestions} field="keyword" label="题干或题号" />
            <EnumFilter of={listQuestions} field="type" />
            <EnumFilter of={listQuestions} field="difficulty" />
            <EnumFilter of={listQuestions} field="source" />
            <OptionFilter
              of={listQuestions}
              field="courseId"
              label="课程"
              options={listOptions}
              query={allCourseOptions('course')}
            />
            <OptionFilter
              of={listQuestions}
              field="bankId"
              label="题库"
              options={listOptions}
              query={allBankOptions('questionBank', courseId)}
            />
            {courseId && (
              <OptionFilter
                of={listQuestions}
                field="knowledgePointId"
                label="知识点"
                options={listOptions}
                query={allBankOptions('knowledgePoint', courseId)}
              />
            )}
            <TextFilter of={listQuestions} field="usedFrom" label="使用次数不少于" />
            <TextFilter of={listQuestions} field="usedTo" label="使用次数不多于" />
            <NumberFilter of={listQuestions} field="scoreRateTo" />
            <NumberFilter of={listQuestions} field="discriminationTo" places={2} />
          </FilterBar>
          <Segments table={table} field="status" label="试题状态" />
          <QueryTable
            table={table}
            columns={questionColumns}
            nameOf={nameOf}
            primary={
              <Can do={saveQuestion}>
                <Dropdown
                  trigger="click"
                  disabled={!bankId}
                  droplist={
                    <Menu onClickMenuItem={add}>
                      {(saveQuestion.fields.type?.options ?? []).map(([type, words]) => (
                        <Menu.Item key={type}>{words}</Menu.Item>
                      ))}
                    </Menu>
                  }
                >
                  <Button
                    type="primary"
                    icon={<IconPlus />}
                    disabled={!bankId}
                    title={bankId ? undefined : '请先在左侧选择题库'}
                  >
                    新增试题 <IconDown />
                  </Button>
                </Dropdown>
              </Can>
            }
            tools={
              <>
                {!overAll && (
                  <MoreTools of={[importQuestions, importQuestionText, exportQuestions]}>
                    <QuestionImports
                      key={bankId}
                      bank={bank.data && { code: bank.data.id, desc: bank.data.name }}
                      courseId={courseId}
                    />
                    <TextExport table={table} bankId={bankId} />
                  </MoreTools>
                )}
                <ExportButton do={exportQuestions} table={table} />
              </>
            }
            bulk={[
              bulkStep(submitQuestions, {
                label: '批量提交',
                confirm: (count) => ({
                  title: `提交选中的${count}道试题？`,
                  content: '不是草稿或已退回的会保留并说明原因。',
                }),
                input: () => ({ body: { items: table.tickedRows.map(itemOf) } }),
                all: (filter) => ({ body: { filter } }),
              }),
              bulkStep(auditQuestions, {
                label: '批量通过',
                confirm: (count) => ({ title: `通过选中的${count}道试题？`, content: '通过后即可用于组卷。' }),
                input: () => ({ body: { items: table.tickedRows.map(itemOf) } }),
                all: (filter) => ({ body: { filter } }),
              }),
              {
                label: '批量退回',
                do: rejectQuestions,
                open: (ids) => forms.reject.open(ticked(ids)),
                openAll: (filter, count) => forms.reject.open({ ...ticked([]), rows: { filter }, count }),
              },
              { label: '移动到题库', do: moveQuestions, open: (ids) => forms.move.open(ticked(ids)) },
              { label: '批量设置', do: editQuestions, open: (ids) => forms.set.open(ticked(ids)) },
              bulkStep(deleteQuestions, {
                label: '批量删除',
                danger: true,
                confirm: askRemoval('试题'),
                input: (ids) => ({ body: { ids } }),
              }),
            ]}
            file={(row) => <QuestionFile id={row.id} />}
            actionsWidth={190}
            actions={(row) => [
              {
                label: '编辑',
                do: editQuestion,
                onClick: () => navigate(places('questionEdit', { id: row.id })),
              },
              { label: '预览', do: viewQuestion, onClick: () => table.open(row) },
              {
                label: '复制',
                do: saveQuestion,
                onClick: () => navigate(places('questionAdd', { bankId: row.bankId, copy: row.id })),
              },
              ...stepsOf(row, forms),
              step(deleteQuestion, {
                label: '删除',
                danger: true,
                with: { query: { id: row.id } },
                confirm: { title: `确定删除试题“${nameOf(row)}”吗？`, content: '小题一并删除，删除后不能恢复。' },
                done: `已删除试题${row.id}`,
              }),
            ]}
            empty={
              bankId
                ? '这个题库还没有试题。点击“新增试题”，或在“更多”中下载模板批量导入。'
                : '还没有试题。请在左侧选择课程和题库，再新增或导入。'
            }
          />
        </div>
      </div>
      <RejectForm key={`reject-${forms.reject.key}`} {...forms.reject.props} />
      <MoveForm key={`move-${forms.move.key}`} {...forms.move.props} />
      <BatchForm key={`set-${forms.set.key}`} {...forms.set.props} />
    </Page>
  )
}
