import { Drawer, Form, Table } from '@arco-design/web-react'
import type { DataOf } from '@/api/operation'
import { BasicSelect } from '@/basic_data/BasicSelect'
import { grades, majors } from '@/basic_data/choices'
import { DialogName } from '@/kit/DialogName'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { type FormAction, formAction } from '@/kit/formAction'
import { formatNumber } from '@/kit/format'
import { SeveralOptions } from '@/kit/SeveralOptions'
import { Word } from '@/kit/Status'
import type { DrawerProps } from '@/kit/useDrawer'
import { auditTeachingPlan, copyTeachingPlans, rejectTeachingPlan } from './api'
import { CheckOf } from './CheckView'
import { type Plan, pairsOf } from './planRules'

const Audited = fieldsOf(auditTeachingPlan)

/** 审核: the plan comes into effect, in place of the version before it. */
export const AuditPlan = ({ record: plan, ...drawer }: DrawerProps<Plan>) => (
  <FormDrawer<{ opinion?: string }, { id: number }>
    {...drawer}
    record={undefined}
    title={`审核教学计划 ${plan?.name ?? ''}`}
    okText="审核通过"
    action={() => formAction(auditTeachingPlan, `“${plan?.name}”已生效`, { id: plan?.id, version: plan?.version })}
  >
    <p className="form-hint">
      通过后立即生效{plan && plan.versionNo > 1 && '，替代同年级专业现在生效的版本'}；已开的课程保持不变。
    </p>
    {plan && <CheckOf id={plan.id} />}
    <Audited name="opinion" label="审核意见" />
  </FormDrawer>
)

const Rejected = fieldsOf(rejectTeachingPlan)

/** 退回 with the reason, which whoever handed it in reads. */
export const RejectPlan = ({ record: plan, ...drawer }: DrawerProps<Plan>) => (
  <FormDrawer<{ reason?: string }, { id: number }>
    {...drawer}
    record={undefined}
    title={`退回教学计划 ${plan?.name ?? ''}`}
    okText="退回"
    danger
    action={() => formAction(rejectTeachingPlan, `已退回“${plan?.name}”`, { id: plan?.id, version: plan?.version })}
  >
    <Rejected name="reason" label="退回原因" required />
  </FormDrawer>
)

/** What became of each grade and major. */
export type Copied = DataOf<typeof copyTeachingPlans>

const copying = (bodyOf: (values: object) => object): FormAction<Copied> => {
  const copy = formAction(copyTeachingPlans, ({ done, results }) =>
    done === results.length
      ? `已复制${formatNumber(done)}份，状态为草稿`
      : `已复制${formatNumber(done)}份，${formatNumber(results.length - done)}份未复制`,
  )
  return { ...copy, send: (values, request) => copy.send(bodyOf(values), request) }
}

interface CopyProps<Row> extends DrawerProps<Row> {
  onCopied: (result: Copied) => void
}

/** Where a plan goes. */
interface Targets {
  gradeIds: number[]
  majorIds: number[]
}

const numbersIn = (values: object, field: keyof Targets) => {
  const found = Object.entries(values).find(([name]) => name === field)?.[1]
  return Array.isArray(found) ? found.filter((each): each is number => typeof each === 'number') : []
}

/** 复制到: one plan to several majors of several grades, each as a draft of its own. */
export const CopyPlan = ({ record: plan, onCopied, ...drawer }: CopyProps<Plan>) => (
  <FormDrawer<Targets, Copied>
    {...drawer}
    record={undefined}
    title={`复制教学计划 ${plan?.name ?? ''}`}
    okText="复制"
    initial={plan && { gradeIds: [plan.gradeId], majorIds: [] }}
    action={() =>
      copying((values) => ({
        sourceId: plan?.id,
        targets: pairsOf(numbersIn(values, 'gradeIds'), numbersIn(values, 'majorIds')),
      }))
    }
    onSaved={onCopied}
  >
    <p className="form-hint">每个年级的每个专业各生成一份草稿；已有未完成版本的不复制，并说明原因。</p>
    <Form.Item field="gradeIds" label="年级" required rules={[{ required: true, message: '请选择年级' }]}>
      <SeveralOptions
        label="年级"
        placeholder="请选择"
        known={plan && [{ code: plan.gradeId, desc: plan.gradeName }]}
        {...grades}
      />
    </Form.Item>
    <Form.Item field="majorIds" label="专业" required rules={[{ required: true, message: '请选择专业' }]}>
      <SeveralOptions label="专业" placeholder="请选择" {...majors} />
    </Form.Item>
  </FormDrawer>
)

const ToGrade = fieldsOf(copyTeachingPlans)

/** 批量复制到新年级: the ticked plans, each for its own major. */
export const CopyToGrade = ({ record: sourceIds = [], onCopied, ...drawer }: CopyProps<readonly number[]>) => (
  <FormDrawer<{ gradeId: number }, Copied>
    {...drawer}
    record={undefined}
    title={`复制选中的${formatNumber(sourceIds.length)}份教学计划`}
    okText="复制"
    action={() => copying((values) => ({ ...values, sourceIds }))}
    onSaved={onCopied}
  >
    <p className="form-hint">专业不变，在新年级各生成一份草稿；已有未完成版本的不复制，并说明原因。</p>
    <ToGrade name="gradeId" label="新年级" required help="选中的计划都复制到这个年级">
      <BasicSelect type="grade" />
    </ToGrade>
  </FormDrawer>
)

/** What was not copied, and why. */
export const CopyResults = ({ record: copied, visible, onClose }: DrawerProps<Copied>) => (
  <Drawer title="复制结果" width={680} visible={visible} footer={null} onCancel={onClose} unmountOnExit>
    <DialogName name="复制结果" />
    <Table
      size="small"
      rowKey={({ gradeId, majorId }: Copied['results'][number]) => `${gradeId}-${majorId}`}
      border={{ wrapper: true }}
      pagination={false}
      data={[...(copied?.results ?? [])].sort((a, b) => Number(a.planId != null) - Number(b.planId != null))}
      columns={[
        { title: '年级专业', dataIndex: 'name' },
        {
          title: '结果',
          dataIndex: 'planId',
          width: 90,
          render: (planId?: number | null) =>
            planId == null ? <Word tone="bad">未复制</Word> : <Word tone="good">已复制</Word>,
        },
        { title: '原因', dataIndex: 'message', render: (message?: string | null) => message || '—' },
      ]}
    />
  </Drawer>
)
