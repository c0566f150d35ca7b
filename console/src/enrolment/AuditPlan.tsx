import { Alert, Form, InputNumber } from '@arco-design/web-react'
import { useState } from 'react'
import type { Warned } from '@/api/types/shared'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { type FormAction, formAction } from '@/kit/formAction'
import { formatNumber } from '@/kit/format'
import { Word } from '@/kit/Status'
import type { DrawerProps } from '@/kit/useDrawer'
import { auditSiteEnrollment, rejectSiteEnrollment, viewSiteEnrollment } from './api'
import { MajorTable } from './MajorTable'
import {
  asApplied,
  exceededBy,
  type Granted,
  type Line,
  overCapacity,
  type Plan,
  type PlanView,
  sumOf,
} from './planRules'

const GRANTED_MAX = 9999

interface GrantsProps {
  lines: readonly Line[]
  value?: Granted
  onChange?: (granted: Granted) => void
}

/** 核定人数 of each major, beside what was declared and what is left. */
const Grants = ({ lines, value = {}, onChange }: GrantsProps) => (
  <MajorTable
    rows={lines}
    keyOf={({ id }) => id}
    empty="没有申报专业"
    columns={[
      { title: '计划数', width: 80, align: 'right', of: ({ quota }) => formatNumber(quota) },
      {
        title: '剩余计划',
        width: 90,
        align: 'right',
        of: ({ remaining }) => (remaining == null ? '—' : formatNumber(remaining)),
      },
      { title: '申报人数', width: 90, align: 'right', of: ({ quotaApplied }) => formatNumber(quotaApplied) },
      {
        title: '核定人数',
        width: 190,
        of: (line) => {
          const over = exceededBy(line, value[line.id])
          return (
            <span className="plan-grant">
              <InputNumber
                aria-label={`${line.majorName} 核定人数`}
                hideControl
                precision={0}
                min={0}
                max={GRANTED_MAX}
                value={value[line.id]}
                onChange={(granted: number | undefined) => onChange?.({ ...value, [line.id]: granted })}
              />
              {over > 0 && <Word tone="bad">超出{formatNumber(over)}人</Word>}
            </span>
          )
        },
      },
    ]}
  />
)

/** How the site would stand with what is granted. */
const Capacity = ({ plan }: { plan: PlanView }) => {
  const { form } = Form.useFormContext()
  const granted: Granted = Form.useWatch('granted', form) ?? {}
  const sum = sumOf(granted)
  const over = overCapacity(plan, sum)
  const facts = [
    `核定合计${formatNumber(sum)}人`,
    `在籍${formatNumber(plan.studentCount)}人`,
    plan.capacity > 0 ? `站点容量${formatNumber(plan.capacity)}人` : '站点未设容量',
  ].join('，')
  return (
    <Alert
      className="form-lead form-wide"
      type={over > 0 ? 'warning' : 'info'}
      content={over > 0 ? `${facts}，超出站点容量${formatNumber(over)}人，仍可核定` : facts}
    />
  )
}

/** What is decided: the plan as it was read, and what is granted. */
interface Decision {
  id: number
  version: number
  granted: Granted
}

const decisionOn = (plan: PlanView): Decision => ({
  id: plan.id,
  version: plan.version,
  granted: asApplied(plan.lines),
})

const granting = (decision: Decision | undefined, site: string): FormAction<Warned> => {
  const audit = formAction(auditSiteEnrollment, `已核定“${site}”`, decision)
  const bodyOf = ({ granted = {} }: Partial<Decision>) => ({
    lines: Object.entries(granted).map(([id, quotaApproved]) => ({ id: Number(id), quotaApproved })),
  })
  return { ...audit, send: (values, request) => audit.send(bodyOf(values), request) }
}

const missingIn = (granted: Granted | undefined) =>
  Object.values(granted ?? {}).some((each) => each == null) ? '请填写每个专业的核定人数，不招的填0' : undefined

/** 审核: how many people of each major the site may have; at first all that it applied for. */
export const AuditPlan = ({ record, ...drawer }: DrawerProps<PlanView>) => {
  // What is left of a major goes with the plan when it is read anew.
  const [plan, setPlan] = useState(record)
  return (
    <FormDrawer<Decision, Warned>
      {...drawer}
      record={record && decisionOn(record)}
      width={860}
      title={`审核站点招生 ${record?.siteName ?? ''}`}
      action={(decision) => granting(decision, record?.siteName ?? '')}
      reload={async ({ id }, call) => {
        const fresh = await call(viewSiteEnrollment, { query: { id } })
        setPlan(fresh)
        return decisionOn(fresh)
      }}
    >
      {plan && <Capacity plan={plan} />}
      <Form.Item
        className="form-wide"
        field="granted"
        label="核定人数"
        rules={[{ validator: (granted: Granted | undefined, report) => report(missingIn(granted)) }]}
        extra="剩余计划为其他站点核定后剩余的人数；不招的专业填0"
      >
        <Grants lines={plan?.lines ?? []} />
      </Form.Item>
    </FormDrawer>
  )
}

const Reason = fieldsOf(rejectSiteEnrollment)

/** 退回: the site mends its plan and hands it in again. */
export const RejectPlan = ({ record, ...drawer }: DrawerProps<Plan>) => (
  <FormDrawer<Pick<Plan, 'id' | 'version' | 'remark'>, { id: number }>
    {...drawer}
    record={record && { id: record.id, version: record.version }}
    title={`退回站点招生 ${record?.siteName ?? ''}`}
    action={(plan) => formAction(rejectSiteEnrollment, `已退回“${record?.siteName}”`, plan)}
  >
    <Reason name="remark" required help="2至200个字符，站点可以看到" />
  </FormDrawer>
)
