import { Button, Tooltip } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import { useNavigate } from 'react-router'
import { listOptions } from '@/api/infra'
import type { RowOf } from '@/api/operation'
import { basicOptions } from '@/basic_data/BasicSelect'
import { listKnowledgePoints } from '@/courses/api'
import { allCourseOptions } from '@/courses/CourseSelect'
import { KnowledgePointsDrawer } from '@/courses/KnowledgePoints'
import { bulkStep } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { EnabledFilter, EnumFilter, OptionFilter, TextFilter } from '@/kit/filters'
import { formatNumber } from '@/kit/format'
import { labelOf } from '@/kit/labels'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { askRemoval, removal, switching } from '@/kit/steps'
import { useDrawer } from '@/kit/useDrawer'
import { usePlaces } from '@/kit/usePlaces'
import { useQueryTable } from '@/kit/useQueryTable'
import {
  changeQuestionBankStatus,
  deleteQuestionBank,
  deleteQuestionBanks,
  editQuestionBank,
  exportQuestionBanks,
  findDuplicateQuestions,
  listQuestionBanks,
  listQuestions,
  saveQuestionBank,
} from './api'
import { BankFile } from './BankFile'
import { BankForm } from './BankForm'
import { Duplicates } from './Duplicates'

type Bank = RowOf<typeof listQuestionBanks>

/** 题量, and on hover how many of each type. */
const Count = ({ bank: { questionCount, typeCounts } }: { bank: Bank }) => {
  const words = typeCounts.map(({ type, count }) => `${labelOf(listQuestions, 'type', type)}${formatNumber(count)}`)
  return words.length > 0 ? (
    <Tooltip content={words.join('，')}>
      <span>{formatNumber(questionCount)}</span>
    </Tooltip>
  ) : (
    formatNumber(questionCount)
  )
}

const columns = columnsOf(listQuestionBanks, [
  { field: 'name', width: 220, fixed: 'left' },
  { field: 'enabled', fixed: 'left' },
  { field: 'code', width: 120, under: 'name' },
  { field: 'courseName', title: '课程', width: 200, render: (bank) => `${bank.courseCode} ${bank.courseName}` },
  { field: 'usage', width: 80 },
  { field: 'visibility', width: 120 },
  {
    field: 'questionCount',
    title: '题量',
    width: 120,
    help: '不含小题；各题型的题量在数字上查看',
    render: (bank) => <Count bank={bank} />,
  },
  { field: 'pendingCount', title: '待审核', width: 90 },
  { field: 'organizationName', title: '学院', width: 160 },
  { field: 'createdByName', title: '创建人', width: 100 },
  { field: 'updatedAt', hidden: true },
  { field: 'createdAt', hidden: true },
])

/** A course as the knowledge points' drawer of the courses takes it. */
const courseOf = ({ courseId, courseName }: Bank) => ({ id: courseId, name: courseName })

/** 题库管理: banks of questions by course (03 A7). */
export const QuestionBanksPage = () => {
  const table = useQueryTable(listQuestionBanks)
  const form = useDrawer<Bank>()
  const duplicates = useDrawer<Bank>()
  const knowledge = useDrawer<{ id: number; name: string }>()
  const navigate = useNavigate()
  const places = usePlaces()
  return (
    <Page title="题库管理" help="试题按课程建库；作业题库和考试题库分开，学生不会在作业中见到考试题。">
      <FilterBar table={table}>
        <TextFilter of={listQuestionBanks} field="keyword" label="编码或名称" />
        <OptionFilter
          of={listQuestionBanks}
          field="courseId"
          label="课程"
          options={listOptions}
          query={allCourseOptions('course')}
        />
        <EnumFilter of={listQuestionBanks} field="usage" />
        <OptionFilter
          of={listQuestionBanks}
          field="organizationId"
          label="学院"
          options={listOptions}
          query={basicOptions('organization')}
        />
        <EnumFilter of={listQuestionBanks} field="visibility" />
        <EnabledFilter of={listQuestionBanks} field="enabled" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={(bank) => bank.name}
        primary={
          <Can do={saveQuestionBank}>
            <Button type="primary" icon={<IconPlus />} onClick={() => form.open()}>
              新增题库
            </Button>
          </Can>
        }
        tools={<ExportButton do={exportQuestionBanks} table={table} />}
        bulk={[
          bulkStep(deleteQuestionBanks, {
            label: '批量删除',
            danger: true,
            confirm: askRemoval('题库'),
            input: (ids) => ({ body: { ids } }),
          }),
        ]}
        file={(bank) => <BankFile id={bank.id} />}
        actionsWidth={190}
        actions={(bank) => [
          {
            label: '试题',
            do: listQuestions,
            onClick: () => navigate(places('questions', { courseId: bank.courseId, bankId: bank.id })),
          },
          { label: '编辑', do: editQuestionBank, onClick: () => form.open(bank) },
          { label: '知识点', do: listKnowledgePoints, onClick: () => knowledge.open(courseOf(bank)) },
          { label: '查重', do: findDuplicateQuestions, onClick: () => duplicates.open(bank) },
          {
            label: '成员',
            do: editQuestionBank,
            disabled: bank.visibility === 'school' ? '全校可见，无需成员；可在编辑中改为“创建人及成员”' : undefined,
            onClick: () => form.open(bank),
          },
          switching(changeQuestionBankStatus, bank, '停用后不能再用于组卷，已有的试卷不受影响。'),
          removal(deleteQuestionBank, bank),
        ]}
        empty="还没有题库。点击“新增题库”，再到“试题”中新增或导入试题。"
      />
      <BankForm key={form.key} {...form.props} />
      <Duplicates key={`duplicates-${duplicates.key}`} {...duplicates.props} />
      <KnowledgePointsDrawer key={`knowledge-${knowledge.key}`} {...knowledge.props} />
    </Page>
  )
}
