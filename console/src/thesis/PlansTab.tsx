import { Button, Form, InputNumber } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import type { Saved } from '@/api/types/shared'
import { known } from '@/basic_data/BasicSelect'
import { grades, levels, majors, openSemesters, semesters } from '@/basic_data/choices'
import { bulkStep, step } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { fieldsOf } from '@/kit/Field'
import { FilterBar } from '@/kit/FilterBar'
import { FormDrawer } from '@/kit/FormDrawer'
import { EnumFilter, OptionFilter, TextFilter } from '@/kit/filters'
import { formAction } from '@/kit/formAction'
import { OptionSelect } from '@/kit/OptionSelect'
import { QueryTable } from '@/kit/QueryTable'
import { SeveralOptions } from '@/kit/SeveralOptions'
import { askRemoval, removal } from '@/kit/steps'
import { type DrawerProps, useDrawer } from '@/kit/useDrawer'
import { useQueryTable } from '@/kit/useQueryTable'
import { historyOf } from '@/logs/RecordHistory'
import {
  changeThesisPlanStatus,
  deleteThesisPlan,
  deleteThesisPlans,
  editThesisPlan,
  exportThesisPlans,
  listThesisPlans,
  saveThesisPlan,
  viewThesisPlan,
} from './api'
import { milestones, type Plan, planTones } from './thesisWords'

const trail = historyOf(viewThesisPlan, 'thesis_plan')

const columns = columnsOf(listThesisPlans, [
  { field: 'name', width: 180, fixed: 'left' },
  { field: 'code', under: 'name' },
  { field: 'status', title: '状态', width: 84, fixed: 'left', tones: planTones },
  { field: 'semesterName', title: '学期', width: 150 },
  { field: 'topicMode', title: '选题方式', width: 100 },
  { field: 'selectMode', title: '选题规则', width: 100 },
  { field: 'topicTo', width: 110 },
  { field: 'proposalDue', width: 110 },
  { field: 'finalDue', width: 110 },
  { field: 'defenseFrom', width: 110 },
  { field: 'thesisCount', width: 110 },
  { field: 'topicCount', width: 80 },
  { field: 'similarityLimit', width: 120 },
  { field: 'adviserQuota', width: 110, hidden: true },
  { field: 'draftDue', width: 110, hidden: true },
  { field: 'reviewDue', width: 110, hidden: true },
])

const Field = fieldsOf(saveThesisPlan)

const PlanForm = ({ record: plan, ...drawer }: DrawerProps<Plan>) => (
  <FormDrawer<Plan, Saved>
    {...drawer}
    record={plan}
    width={720}
    title={plan ? `编辑论文批次 ${plan.name}` : '新增论文批次'}
    initial={{
      topicMode: 'both',
      selectMode: 'first_come',
      requireProposal: true,
      adviserQuota: 20,
      similarityLimit: 30,
      similarityAttempts: 2,
      defenseMode: 'onsite',
      minReviewers: 1,
      gradeIds: [],
      levelIds: [],
      majorIds: [],
    }}
    action={(held) =>
      held
        ? formAction(editThesisPlan, '已保存论文批次', held)
        : formAction(saveThesisPlan, '已新增论文批次，启用后学生可以选题', { gradeIds: [], levelIds: [], majorIds: [] })
    }
    reload={({ id }, call) => call(viewThesisPlan, { query: { id } })}
  >
    <Field name="code" />
    <Field name="name" />
    <Field name="semesterId">
      <OptionSelect label="学期" {...openSemesters} known={known(plan?.semesterId, plan?.semesterName)} />
    </Field>
    <Field name="gradeIds">
      <SeveralOptions label="年级" placeholder="全部" {...grades} />
    </Field>
    <Field name="levelIds">
      <SeveralOptions label="层次" placeholder="全部" {...levels} />
    </Field>
    <Field name="majorIds">
      <SeveralOptions label="专业" placeholder="全部" {...majors} />
    </Field>
    <Field name="topicFrom" />
    <Field name="topicTo" />
    <Field name="proposalDue" />
    <Field name="draftDue" />
    <Field name="finalDue" />
    <Field name="similarityDue" />
    <Field name="reviewDue" />
    <Field name="defenseFrom" />
    <Field name="defenseTo" />
    <Field name="topicMode" label="选题方式" />
    <Field name="selectMode" label="选题规则" />
    <Field name="requireProposal" />
    <Field name="adviserQuota" />
    <Field name="similarityLimit">
      <InputNumber min={0} max={100} precision={1} hideControl />
    </Field>
    <Field name="similarityAttempts" />
    <Field name="defenseMode" label="答辩方式" />
    <Field name="minReviewers" />
    <Form.Item noStyle>
      <p className="form-hint">各阶段日期须依次推后；到期前3天提醒学生。</p>
    </Form.Item>
  </FormDrawer>
)

/** The stages of a plan as a line of time. */
const Milestones = ({ plan }: { plan: Plan }) => (
  <ol className="history" aria-label="各阶段">
    {milestones(plan).map(({ name, from, to }) => (
      <li key={name}>
        <strong>{name}</strong> {[from, to].filter(Boolean).join(' 至 ')}
      </li>
    ))}
  </ol>
)

/** 论文批次. */
export const PlansTab = () => {
  const table = useQueryTable(listThesisPlans)
  const form = useDrawer<Plan>()
  return (
    <>
      <FilterBar table={table}>
        <TextFilter of={listThesisPlans} field="name" />
        <OptionFilter of={listThesisPlans} field="semesterId" {...semesters} />
        <EnumFilter of={listThesisPlans} field="status" label="状态" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={({ name }) => name}
        primary={
          <Can do={saveThesisPlan}>
            <Button type="primary" icon={<IconPlus />} onClick={() => form.open()}>
              新增论文批次
            </Button>
          </Can>
        }
        tools={<ExportButton do={exportThesisPlans} table={table} />}
        bulk={[
          bulkStep(deleteThesisPlans, {
            label: '批量删除',
            danger: true,
            confirm: askRemoval('论文批次'),
            input: (ids) => ({ body: { ids } }),
          }),
        ]}
        detail={(plan) => (
          <>
            <Milestones plan={plan} />
            {trail(plan)}
          </>
        )}
        actionsWidth={160}
        actions={(plan) => [
          { label: '编辑', do: editThesisPlan, onClick: () => form.open(plan) },
          step(changeThesisPlanStatus, {
            label: plan.status === 'active' ? '结束' : '启用',
            danger: plan.status === 'active',
            disabled: plan.status === 'closed' ? '批次已结束' : undefined,
            with: {
              body: { id: plan.id, version: plan.version, status: plan.status === 'active' ? 'closed' : 'active' },
            },
            confirm: {
              title: plan.status === 'active' ? `结束“${plan.name}”？` : `启用“${plan.name}”？`,
              content: plan.status === 'active' ? '结束后不再选题和提交文稿。' : '启用后学生可以选题和提交文稿。',
            },
            done: plan.status === 'active' ? `已结束“${plan.name}”` : `已启用“${plan.name}”`,
          }),
          removal(deleteThesisPlan, plan),
        ]}
        empty="还没有论文批次。新增批次、启用后，生成学生论文名单。"
      />
      <PlanForm key={form.key} {...form.props} />
    </>
  )
}
