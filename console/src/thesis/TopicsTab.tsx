import { Button, Input, Space } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import type { Saved } from '@/api/types/shared'
import { BasicSelect, known } from '@/basic_data/BasicSelect'
import { majors, teachers } from '@/basic_data/choices'
import { bulkStep } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { fieldsOf } from '@/kit/Field'
import { FilterBar } from '@/kit/FilterBar'
import { FormDrawer } from '@/kit/FormDrawer'
import { EnumFilter, OptionFilter, SelectFilter, TextFilter } from '@/kit/filters'
import { formAction } from '@/kit/formAction'
import { formatNumber } from '@/kit/format'
import { ImportButton } from '@/kit/ImportWizard'
import { QueryTable } from '@/kit/QueryTable'
import { type Reasoned, ReasonForm } from '@/kit/ReasonForm'
import { SeveralOptions } from '@/kit/SeveralOptions'
import { askRemoval, removal } from '@/kit/steps'
import { type DrawerProps, useDrawer } from '@/kit/useDrawer'
import { useQueryTable } from '@/kit/useQueryTable'
import { historyOf } from '@/logs/RecordHistory'
import {
  auditThesisTopics,
  deleteThesisTopic,
  deleteThesisTopics,
  editThesisTopic,
  exportThesisTopics,
  fetchThesisTopicImportTemplate,
  importThesisTopics,
  listThesisTopics,
  saveThesisTopic,
  viewThesisTopic,
} from './api'
import { PlanSelect, usePlanChoices } from './PlanSelect'
import { type Topic, topicTones } from './thesisWords'

const trail = historyOf(viewThesisTopic, 'thesis_topic')

const columns = columnsOf(listThesisTopics, [
  { field: 'title', width: 260, fixed: 'left' },
  { field: 'status', title: '状态', width: 84, fixed: 'left', tones: topicTones },
  {
    field: 'teacherName',
    width: 110,
    render: ({ teacherName, proposedByName }) => teacherName ?? (proposedByName ? `${proposedByName}（自拟）` : '—'),
  },
  { field: 'source', title: '来源', width: 100 },
  {
    field: 'taken',
    title: '已选/容量',
    width: 100,
    render: ({ taken, capacity }) => `${formatNumber(taken)} / ${formatNumber(capacity)}`,
  },
  { field: 'planName', width: 160 },
  { field: 'auditOpinion', width: 160 },
  { field: 'auditedByName', width: 100 },
  { field: 'description', width: 200, hidden: true },
])

const Field = fieldsOf(saveThesisTopic)

/** A topic as it is edited: it is handed in anew. */
interface Edited extends Omit<Topic, 'teacherId'> {
  teacherId?: number | null
  submit?: boolean
  closed?: boolean
}

const TopicForm = ({ record: topic, planId, ...drawer }: DrawerProps<Topic> & { planId: number | undefined }) => (
  <FormDrawer<Edited, Saved>
    {...drawer}
    record={topic && { ...topic, submit: true, closed: topic.status === 'closed' }}
    title={topic ? `编辑选题 ${topic.title}` : '新增选题'}
    initial={{ planId, source: 'production', capacity: 1, submit: true, closed: false, majorIds: [] }}
    keep={['planId', 'teacherId', 'source', 'capacity', 'majorIds', 'submit']}
    action={(held) =>
      held
        ? formAction(editThesisTopic, '已保存选题', held)
        : formAction(saveThesisTopic, '已新增选题', { closed: false, majorIds: [] })
    }
  >
    <Field name="planId" label="论文批次">
      <PlanSelect />
    </Field>
    <Field name="title">
      <Input maxLength={60} showWordLimit />
    </Field>
    <Field name="teacherId" required={!topic?.proposedByName}>
      <BasicSelect type="teacher" known={known(topic?.teacherId, topic?.teacherName)} />
    </Field>
    <Field name="majorIds">
      <SeveralOptions label="适用专业" placeholder="全部" {...majors} />
    </Field>
    <Field name="source" label="来源" />
    <Field name="capacity" />
    <Field name="description" />
    <Field name="submit" />
    {topic && (topic.status === 'approved' || topic.status === 'closed') && <Field name="closed" />}
  </FormDrawer>
)

/** 选题库: what may be chosen, and what waits for its audit. */
export const TopicsTab = () => {
  const table = useQueryTable(listThesisTopics)
  const plans = usePlanChoices()
  const form = useDrawer<Topic>()
  const audit = useDrawer<Reasoned>()
  const planId = Number(table.filters.planId) || undefined
  const reject = (ids: readonly number[], title: string) =>
    audit.open({
      title,
      verb: '退回',
      hint: '退回后可以修改再提交。',
      do: auditThesisTopics,
      body: { ids: [...ids], pass: false },
      done: '已退回选题',
      field: 'opinion',
      settle: (failed) => table.tickRows(failed),
      danger: true,
    })
  const why = ({ status }: Topic) => (status === 'submitted' ? undefined : '只有待审的可以审核')
  const pass = (topic: Topic) =>
    audit.open({
      title: `通过选题 ${topic.title}`,
      verb: '通过',
      do: auditThesisTopics,
      body: { ids: [topic.id], pass: true },
      done: `已通过“${topic.title}”`,
      field: 'opinion',
      optional: true,
    })
  return (
    <>
      <FilterBar table={table}>
        <SelectFilter of={listThesisTopics} field="planId" options={plans} />
        <TextFilter of={listThesisTopics} field="title" />
        <EnumFilter of={listThesisTopics} field="status" label="状态" />
        <OptionFilter of={listThesisTopics} field="teacherId" {...teachers} />
        <SelectFilter
          of={listThesisTopics}
          field="free"
          options={[
            { value: 'true', label: '有空位' },
            { value: 'false', label: '已选满' },
          ]}
        />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={({ title }) => title}
        primary={
          <Can do={saveThesisTopic}>
            <Button type="primary" icon={<IconPlus />} onClick={() => form.open()}>
              新增选题
            </Button>
          </Can>
        }
        tools={
          <Space size={4}>
            <ImportButton
              do={importThesisTopics}
              template={fetchThesisTopicImportTemplate}
              what="选题"
              query={planId === undefined ? undefined : { planId }}
              missing={planId === undefined ? '请先在筛选中选择论文批次' : undefined}
            />
            <ExportButton do={exportThesisTopics} table={table} />
          </Space>
        }
        bulk={[
          bulkStep(auditThesisTopics, {
            label: '批量通过',
            confirm: (count) => ({
              title: `通过选中的${formatNumber(count)}个选题？`,
              content: '通过后学生可以选择；不是待审的会保留并说明原因。',
            }),
            input: (ids) => ({ body: { ids, pass: true } }),
          }),
          {
            label: '批量退回',
            do: auditThesisTopics,
            open: (ids) => reject(ids, `退回${formatNumber(ids.length)}个选题`),
          },
          bulkStep(deleteThesisTopics, {
            label: '批量删除',
            danger: true,
            confirm: askRemoval('选题'),
            input: (ids) => ({ body: { ids } }),
          }),
        ]}
        detail={trail}
        actionsWidth={170}
        actions={(topic) => [
          { label: '通过', do: auditThesisTopics, disabled: why(topic), onClick: () => pass(topic) },
          {
            label: '退回',
            do: auditThesisTopics,
            disabled: why(topic),
            onClick: () => reject([topic.id], `退回选题 ${topic.title}`),
          },
          { label: '编辑', do: editThesisTopic, onClick: () => form.open(topic) },
          removal(deleteThesisTopic, { id: topic.id, name: topic.title }),
        ]}
        empty="还没有选题。教师申报或导入后审核，学生从中选择。"
      />
      <TopicForm key={form.key} {...form.props} planId={planId} />
      <ReasonForm key={`audit-${audit.key}`} {...audit.props} />
    </>
  )
}
