import { Button } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import { useMutation } from '@tanstack/react-query'
import type { RowOf } from '@/api/operation'
import { useCall } from '@/api/schoolContext'
import { flat, useCategories, useLecturers } from '@/catalogue/choices'
import { yuanOf } from '@/catalogue/courseContent'
import { auditTones } from '@/catalogue/tones'
import { bulkStep, byState, type RowAction, step } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { DateRangeFilter, EnabledFilter, EnumFilter, SelectFilter, TextFilter, YesNoFilter } from '@/kit/filters'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { askRemoval, removal, switching } from '@/kit/steps'
import { undoBy } from '@/kit/undo'
import { useDrawer } from '@/kit/useDrawer'
import { useQueryTable } from '@/kit/useQueryTable'
import {
  changeQuizPutaway,
  changeQuizStatus,
  deleteQuiz,
  deleteQuizzes,
  editQuiz,
  exportQuizzes,
  listQuizCategories,
  listQuizRecords,
  listQuizzes,
  saveQuiz,
  saveQuizRecommend,
  viewQuiz,
} from './api'
import { QuizFile } from './QuizFile'
import { QuizForm, type QuizRead } from './QuizForm'
import { type QuizRecommendDraft, QuizRecommendForm } from './QuizRecommendForm'
import { RecordList, type RecordsOf } from './RecordList'

type Quiz = RowOf<typeof listQuizzes>

const columns = columnsOf(listQuizzes, [
  { field: 'examName', width: 220, fixed: 'left' },
  { field: 'putaway', title: '上架', width: 80, fixed: 'left', tones: { on: 'good', off: 'quiet' } },
  { field: 'auditStatus', title: '审核', width: 90, fixed: 'left', tones: auditTones },
  { field: 'enabled', fixed: 'left' },
  { field: 'categoryName', title: '分类', width: 110 },
  { field: 'lecturerName', title: '讲师', width: 90 },
  { field: 'countMarking', width: 90 },
  { field: 'problemTotal', width: 70 },
  { field: 'totalScore', width: 80 },
  { field: 'passScore', width: 80 },
  { field: 'durationMinutes', title: '时长(分钟)', width: 100 },
  {
    field: 'priceSale',
    title: '价格(元)',
    width: 100,
    render: ({ isFree, priceSale }) => (isFree ? '免费' : yuanOf(priceSale)),
  },
  { field: 'countJoin', width: 80, help: '开始过考试的学员数' },
  { field: 'recommended', width: 90 },
  { field: 'revisionStatus', width: 110, tones: auditTones, help: '还没有通过审核的版本；已发布的内容不受影响' },
  {
    field: 'attemptLimit',
    hidden: true,
    render: ({ attemptLimit }) => (attemptLimit === 0 ? '不限' : `${attemptLimit}次`),
  },
  { field: 'countBuy', hidden: true },
  { field: 'auditOpinion', width: 200, hidden: true },
  { field: 'createdAt', hidden: true },
])

/** Whose records are looked at more often than it is put on the shelf or taken off. */
const isTaken = ({ putaway, countMarking }: Quiz) => putaway === 'on' || countMarking > 0

const shelving = ({ id, examName, putaway, auditStatus, version }: Quiz) => {
  const isOn = putaway === 'on'
  return step(changeQuizPutaway, {
    label: isOn ? '下架' : '上架',
    with: { body: { id, putaway: isOn ? 'off' : 'on', version } },
    confirm: isOn
      ? { title: `下架“${examName}”？`, content: '网站不再展示，也不能开始新的考试；已开始的可以继续。' }
      : undefined,
    disabled: isOn || auditStatus === 'approved' ? undefined : '试卷尚未审核通过',
    done: isOn ? `已下架“${examName}”` : `已上架“${examName}”`,
    undo: () => undoBy(changeQuizPutaway, { body: { id, putaway, version: version + 1 } }),
  })
}

/** 试卷管理: the exams of the site, what stands in them, and who took them. */
export const QuizzesPage = () => {
  const table = useQueryTable(listQuizzes)
  const call = useCall()
  const form = useDrawer<QuizRead>()
  const recommend = useDrawer<QuizRecommendDraft>()
  const records = useDrawer<RecordsOf>()
  const categories = useCategories(listQuizCategories)
  const lecturers = useLecturers()
  const opening = useMutation({
    mutationFn: (id: number) => call(viewQuiz, { query: { id } }),
    onSuccess: (quiz) => form.open(quiz),
  })
  const recordsOf = (quiz: Quiz): RowAction => ({
    label: '考试记录',
    do: listQuizRecords,
    onClick: () => records.open({ examId: quiz.id, examName: quiz.examName, waiting: quiz.countMarking }),
  })
  return (
    <Page
      title="试卷管理"
      help="试卷审核通过后才能上架；修改提交审核后，通过前已发布的内容不变，已开始的考试始终按开始时的试题进行。"
      personal
    >
      <FilterBar table={table}>
        <TextFilter of={listQuizzes} field="examName" />
        <SelectFilter of={listQuizzes} field="categoryId" label="试卷分类" options={flat(categories.data ?? [])} />
        <SelectFilter
          of={listQuizzes}
          field="lecturerId"
          label="讲师"
          options={(lecturers.data?.list ?? []).map(({ id, lecturerName }) => ({
            value: String(id),
            label: lecturerName,
          }))}
        />
        <SelectFilter
          of={listQuizzes}
          field="isFree"
          label="收费"
          options={[
            { value: 'false', label: '收费' },
            { value: 'true', label: '免费' },
          ]}
        />
        <EnumFilter of={listQuizzes} field="putaway" />
        <EnumFilter of={listQuizzes} field="auditStatus" />
        <YesNoFilter of={listQuizzes} field="recommended" />
        <EnabledFilter of={listQuizzes} field="enabled" />
        <DateRangeFilter of={listQuizzes} from="createdFrom" to="createdTo" label="创建日期" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={(quiz) => quiz.examName}
        primary={
          <Can do={saveQuiz}>
            <Button type="primary" icon={<IconPlus />} onClick={() => form.open()}>
              新增试卷
            </Button>
          </Can>
        }
        tools={<ExportButton do={exportQuizzes} table={table} />}
        bulk={[
          bulkStep(deleteQuizzes, {
            label: '批量删除',
            danger: true,
            confirm: askRemoval('试卷'),
            input: (ids) => ({ body: { ids } }),
          }),
        ]}
        file={(quiz) => <QuizFile id={quiz.id} />}
        actionsWidth={240}
        actions={(quiz) =>
          byState([
            {
              label: '编辑',
              do: editQuiz,
              disabled: quiz.revisionStatus === 'pending' ? '该试卷有待审核版本' : undefined,
              onClick: () => opening.mutate(quiz.id),
            },
            ...(isTaken(quiz) ? [recordsOf(quiz), shelving(quiz)] : [shelving(quiz), recordsOf(quiz)]),
            {
              label: '推荐',
              do: saveQuizRecommend,
              onClick: () => recommend.open({ quiz: { id: quiz.id, name: quiz.examName } }),
            },
            switching(changeQuizStatus, { ...quiz, name: quiz.examName }, '停用的试卷不再展示，也不能开始新的考试。'),
            removal(deleteQuiz, { id: quiz.id, name: quiz.examName }),
          ])
        }
        empty="还没有试卷。先在“试题分类”中准备试题，再新增试卷并组卷。"
      />
      <QuizForm key={form.key} {...form.props} />
      <QuizRecommendForm key={`recommend-${recommend.key}`} {...recommend.props} />
      <RecordList key={`records-${records.key}`} {...records.props} />
    </Page>
  )
}
