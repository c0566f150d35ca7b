import { Button } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import type { RowOf } from '@/api/operation'
import { useLecturers } from '@/catalogue/choices'
import { bulkStep, step } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { CopyButton } from '@/kit/CopyButton'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { DateRangeFilter, EnabledFilter, EnumFilter, SelectFilter, TextFilter } from '@/kit/filters'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { askRemoval, removal, switching } from '@/kit/steps'
import { useDrawer } from '@/kit/useDrawer'
import { useQueryTable } from '@/kit/useQueryTable'
import { historyOf } from '@/logs/RecordHistory'
import { ArrangementList } from './ArrangementList'
import {
  changeQuizClassStatus,
  deleteQuizClass,
  deleteQuizClasses,
  editQuizClass,
  exportQuizClasses,
  listQuizArrangements,
  listQuizClasses,
  listQuizClassScores,
  listQuizMembers,
  resetQuizClassCode,
  saveQuizClass,
  viewQuizClass,
} from './api'
import { MemberList } from './MemberList'
import { QuizClassForm } from './QuizClassForm'
import { ScoreList } from './ScoreList'

type QuizClassRow = RowOf<typeof listQuizClasses>

const columns = columnsOf(listQuizClasses, [
  { field: 'gradeName', width: 200, fixed: 'left' },
  { field: 'enabled', fixed: 'left' },
  { field: 'lecturerName', title: '讲师', width: 90 },
  {
    field: 'inviteCode',
    width: 130,
    render: ({ inviteCode }) => (
      <>
        <code>{inviteCode}</code> <CopyButton label="邀请码" value={inviteCode} />
      </>
    ),
  },
  {
    field: 'joinedCount',
    title: '人数',
    width: 110,
    render: ({ joinedCount, maxMembers }) => `${joinedCount}/${maxMembers}`,
  },
  { field: 'pendingCount', title: '待审核', width: 80 },
  { field: 'examCount', width: 80 },
  { field: 'verify', width: 90 },
  'startsOn',
  'endsOn',
  { field: 'createdAt', hidden: true },
])

/** 考试班级: who is in them, which exams they take, and how they did. */
export const QuizClassesPage = () => {
  const table = useQueryTable(listQuizClasses)
  const form = useDrawer<QuizClassRow>()
  const members = useDrawer<QuizClassRow>()
  const arrangements = useDrawer<QuizClassRow>()
  const scores = useDrawer<QuizClassRow>()
  const lecturers = useLecturers()
  return (
    <Page title="考试班级" help="学员凭邀请码加入班级，在安排的时间内参加班级考试；班级考试无需购买。" personal>
      <FilterBar table={table}>
        <TextFilter of={listQuizClasses} field="gradeName" />
        <TextFilter of={listQuizClasses} field="inviteCode" />
        <SelectFilter
          of={listQuizClasses}
          field="lecturerId"
          label="讲师"
          options={(lecturers.data?.list ?? []).map(({ id, lecturerName }) => ({
            value: String(id),
            label: lecturerName,
          }))}
        />
        <EnumFilter of={listQuizClasses} field="verify" />
        <EnabledFilter of={listQuizClasses} field="enabled" />
        <DateRangeFilter of={listQuizClasses} from="createdFrom" to="createdTo" label="创建日期" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={(row) => row.gradeName}
        primary={
          <Can do={saveQuizClass}>
            <Button type="primary" icon={<IconPlus />} onClick={() => form.open()}>
              新增班级
            </Button>
          </Can>
        }
        tools={<ExportButton do={exportQuizClasses} table={table} />}
        bulk={[
          bulkStep(deleteQuizClasses, {
            label: '批量删除',
            danger: true,
            confirm: askRemoval('班级'),
            input: (ids) => ({ body: { ids } }),
          }),
        ]}
        detail={historyOf(viewQuizClass, 'exam_grade_info')}
        actionsWidth={220}
        actions={(row) => [
          { label: '成员', do: listQuizMembers, onClick: () => members.open(row) },
          { label: '考试安排', do: listQuizArrangements, onClick: () => arrangements.open(row) },
          { label: '成绩', do: listQuizClassScores, onClick: () => scores.open(row) },
          { label: '编辑', do: editQuizClass, onClick: () => form.open(row) },
          step(resetQuizClassCode, {
            label: '换邀请码',
            with: { body: { id: row.id, version: row.version } },
            confirm: { title: `更换“${row.gradeName}”的邀请码？`, content: '原邀请码立即失效，已加入的成员不受影响。' },
            done: ({ inviteCode }) => `新的邀请码：${inviteCode}`,
          }),
          switching(
            changeQuizClassStatus,
            { ...row, name: row.gradeName },
            '停用后不能再加入，也不能开始班级考试；已开始的可以继续。',
          ),
          removal(deleteQuizClass, { id: row.id, name: row.gradeName }),
        ]}
        empty="还没有考试班级。新增班级后，把邀请码发给学员。"
      />
      <QuizClassForm key={form.key} {...form.props} />
      <MemberList key={`members-${members.key}`} {...members.props} />
      <ArrangementList key={`exams-${arrangements.key}`} {...arrangements.props} />
      <ScoreList key={`scores-${scores.key}`} {...scores.props} />
    </Page>
  )
}
