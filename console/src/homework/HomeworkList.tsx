import { Button, Space } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import { useNavigate } from 'react-router'
import { useSchoolContext } from '@/api/schoolContext'
import { semesters } from '@/basic_data/choices'
import { courses } from '@/course_opening/choices'
import { SemesterFilter } from '@/course_opening/SemesterFilter'
import { bulkStep, type RowAction, step, withSchool } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { DateRangeFilter, EnumFilter, OptionFilter, TextFilter } from '@/kit/filters'
import { formatNumber, formatTime } from '@/kit/format'
import type { Choice } from '@/kit/OptionSelect'
import { QueryTable } from '@/kit/QueryTable'
import { askRemoval, removal } from '@/kit/steps'
import { useDrawer } from '@/kit/useDrawer'
import { usePlaces } from '@/kit/usePlaces'
import { useQueryTable } from '@/kit/useQueryTable'
import { paths } from '@/paths'
import {
  closeHomework,
  copyHomework,
  deleteHomework,
  deleteHomeworks,
  editHomework,
  exportHomework,
  extendHomework,
  listHomework,
  listMarking,
  listStudentHomework,
  publishHomework,
  remindHomework,
  reopenHomework,
  saveHomework,
  saveHomeworkBatch,
  viewHomework,
  withdrawHomework,
} from './api'
import { HomeworkFile } from './HomeworkFile'
import { CopyForm, ExtendForm, ReopenForm } from './HomeworkForms'
import { can, type Homework, phaseTones, score, statusTones, titleOf } from './homeworkRules'

const MINUTES = 'YYYY-MM-DD HH:mm'

const columns = columnsOf(listHomework, [
  { field: 'title', width: 190, fixed: 'left' },
  { field: 'courseName', under: 'title' },
  { field: 'status', width: 84, fixed: 'left', tones: statusTones },
  { field: 'phase', width: 84, fixed: 'left', tones: phaseTones },
  { field: 'purpose', width: 90 },
  { field: 'kind', width: 90 },
  { field: 'totalScore', title: '总分', width: 80, render: ({ totalScore }) => score(totalScore) },
  { field: 'studentCount', title: '学生数', width: 80 },
  {
    field: 'endsAt',
    title: '时间',
    width: 270,
    render: ({ startsAt, endsAt }) => `${formatTime(startsAt, MINUTES)} 至 ${formatTime(endsAt, MINUTES)}`,
  },
  { field: 'maxAttempts', title: '次数', width: 70 },
  {
    field: 'handedCount',
    title: '已交/应交',
    width: 110,
    help: '应交不含免做和作废',
    render: ({ handedCount, dueCount }) => `${formatNumber(handedCount)} / ${formatNumber(dueCount)}`,
  },
  { field: 'markedCount', title: '已批', width: 80 },
  { field: 'pendingCount', title: '待批', width: 80 },
  { field: 'averageScore', title: '平均分', width: 90, render: ({ averageScore }) => score(averageScore) },
  { field: 'weight', width: 70, render: ({ weight }) => score(weight) },
  { field: 'courseCode', width: 100, hidden: true },
  { field: 'chapterTitle', width: 160, hidden: true },
  { field: 'paperMode', width: 100, hidden: true },
  { field: 'passScore', width: 80, hidden: true, render: ({ passScore }) => score(passScore) },
  { field: 'lateUntil', width: 170, hidden: true },
  { field: 'markDueAt', width: 170, hidden: true },
  { field: 'semesterName', title: '学期', width: 150, hidden: true },
  { field: 'publishedAt', width: 170, hidden: true },
  { field: 'createdByName', width: 100, hidden: true },
])

const itemOf = (row: Homework) => withSchool(row, { id: row.id, version: row.version })
/** Inside a school, whose steps take no other. */
const ownItemOf = ({ id, version }: Homework) => ({ id, version })

const useForms = () => ({
  reopen: useDrawer<Homework>(),
  extend: useDrawer<Homework>(),
  copy: useDrawer<Homework>(),
})
type Forms = ReturnType<typeof useForms>

/** What leads a homework on, by its state. */
const stepsOf = (row: Homework, { reopen, extend }: Forms): RowAction[] => {
  const name = titleOf(row)
  if (!can.publish(row)) {
    return [
      step(publishHomework, {
        label: '发布',
        with: { body: { items: [itemOf(row)] } },
        confirm: { title: `发布“${name}”？`, content: '试卷随之定稿，对象中的学生收到通知；有学生作答后不能撤回。' },
        done: ({ jobId }) => (jobId ? '正在为学生抽题，进度在任务中心查看' : `已发布“${name}”`),
      }),
    ]
  }
  if (row.status === 'closed') {
    return [{ label: '重新开放', do: reopenHomework, onClick: () => reopen.open(row) }]
  }
  return [
    { label: '延期', do: extendHomework, onClick: () => extend.open(row) },
    step(closeHomework, {
      label: '截止',
      danger: true,
      with: { body: { items: [itemOf(row)] } },
      confirm: { title: `截止“${name}”？`, content: '作答中的答卷自动提交，未作答的记为缺交；可以重新开放。' },
      done: `已截止“${name}”`,
    }),
    step(withdrawHomework, {
      label: '撤回',
      danger: true,
      with: { body: { items: [ownItemOf(row)] } },
      confirm: { title: `撤回“${name}”？`, content: '尚无学生开始作答的才能撤回；撤回后可以修改并重新发布。' },
      done: `已撤回“${name}”`,
    }),
    step(remindHomework, {
      label: '督促未交',
      with: { body: { id: row.id } },
      confirm: { title: `督促“${name}”未交的学生？`, content: '向未作答、作答中和已退回的学生发送提醒。' },
      done: ({ told }) => `已督促${formatNumber(told)}名学生`,
    }),
  ]
}

/** 按作业: what was set, and the steps with it. */
export const HomeworkList = ({ semester }: { semester: Choice | undefined }) => {
  const table = useQueryTable(listHomework, { usual: { semesterId: semester?.code } })
  const navigate = useNavigate()
  const places = usePlaces()
  const isSchool = useSchoolContext().area === 'school'
  const forms = useForms()
  const semesterId = Number(table.filters.semesterId ?? semester?.code) || undefined
  const courseId = Number(table.filters.courseId) || undefined
  return (
    <>
      <FilterBar table={table}>
        <SemesterFilter of={listHomework} field="semesterId" {...semesters} usual={semester} />
        <TextFilter of={listHomework} field="title" />
        <OptionFilter of={listHomework} field="courseId" {...courses} />
        <EnumFilter of={listHomework} field="status" />
        <EnumFilter of={listHomework} field="phase" />
        <EnumFilter of={listHomework} field="purpose" />
        <EnumFilter of={listHomework} field="kind" />
        <TextFilter of={listHomework} field="createdByName" />
        <DateRangeFilter of={listHomework} from="endsFrom" to="endsTo" label="截止时间" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={titleOf}
        primary={
          <Space size={8}>
            <Can do={saveHomework}>
              <Button
                type="primary"
                icon={<IconPlus />}
                onClick={() => navigate(places('homeworkForm', { semesterId, courseId }))}
              >
                布置作业
              </Button>
            </Can>
            {isSchool && (
              <Can do={saveHomeworkBatch}>
                <Button onClick={() => navigate(paths.homeworkBatch)}>批量布置</Button>
              </Can>
            )}
          </Space>
        }
        tools={<ExportButton do={exportHomework} table={table} />}
        bulk={[
          bulkStep(publishHomework, {
            label: '批量发布',
            confirm: (count) => ({
              title: `发布选中的${formatNumber(count)}个作业？`,
              content: '试卷随之定稿，学生收到通知；不能发布的会保留并说明原因。',
            }),
            input: () => ({ body: { items: table.tickedRows.map(itemOf) } }),
            all: (filter) => ({ body: { filter } }),
          }),
          bulkStep(closeHomework, {
            label: '批量截止',
            danger: true,
            confirm: (count) => ({
              title: `截止选中的${formatNumber(count)}个作业？`,
              content: '作答中的答卷自动提交，未作答的记为缺交。',
            }),
            input: () => ({ body: { items: table.tickedRows.map(itemOf) } }),
            all: (filter) => ({ body: { filter } }),
          }),
          bulkStep(withdrawHomework, {
            label: '批量撤回',
            danger: true,
            confirm: (count) => ({
              title: `撤回选中的${formatNumber(count)}个作业？`,
              content: '有学生开始作答的会保留并说明原因。',
            }),
            input: () => ({ body: { items: table.tickedRows.map(ownItemOf) } }),
            all: (filter) => ({ body: { filter } }),
          }),
          bulkStep(deleteHomeworks, {
            label: '批量删除',
            danger: true,
            confirm: askRemoval('作业'),
            input: (ids) => ({ body: { ids } }),
          }),
        ]}
        file={(row) => <HomeworkFile id={row.id} />}
        actionsWidth={220}
        actions={(row) => [
          ...stepsOf(row, forms),
          {
            label: '学生作业',
            do: listStudentHomework,
            disabled: can.follow(row),
            onClick: () => navigate(places('studentHomework', { homeworkId: row.id, semesterId: row.semesterId })),
          },
          {
            label: '批阅',
            do: listMarking,
            disabled: can.follow(row),
            onClick: () => navigate(places('marking', { homeworkId: row.id, semesterId: row.semesterId })),
          },
          { label: '编辑', do: editHomework, onClick: () => navigate(places('homeworkForm', { id: row.id })) },
          { label: '复制', do: copyHomework, onClick: () => forms.copy.open(row) },
          { ...removal(deleteHomework, { id: row.id, name: titleOf(row) }), disabled: can.remove(row) },
          { label: '查看', do: viewHomework, onClick: () => table.open(row) },
        ]}
        empty="该学期还没有作业。布置并发布后，学生在客户端作答。"
      />
      <ReopenForm key={`reopen-${forms.reopen.key}`} {...forms.reopen.props} />
      <ExtendForm key={`extend-${forms.extend.key}`} {...forms.extend.props} />
      <CopyForm key={`copy-${forms.copy.key}`} {...forms.copy.props} />
    </>
  )
}
