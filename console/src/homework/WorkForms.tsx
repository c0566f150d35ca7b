import { Form, InputNumber } from '@arco-design/web-react'
import type { BulkResult, Saved } from '@/api/types/shared'
import { tellFailures } from '@/kit/BulkBar'
import { DateTimeInput } from '@/kit/DateTimeInput'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import { formatNumber } from '@/kit/format'
import { withZone } from '@/kit/moments'
import type { DrawerProps } from '@/kit/useDrawer'
import { exemptHomework, extendHomework } from './api'
import { type Work, workName } from './homeworkRules'

interface OfOne {
  extendedUntil?: string
  extraAttempts?: number
}

const MOST_EXTRA = 100

/** 延期, 增加次数 of one student. */
export const ExtendOneForm = ({ record: work, ...drawer }: DrawerProps<Work>) => (
  <FormDrawer<OfOne, Saved>
    {...drawer}
    record={undefined}
    initial={{ extendedUntil: work?.extendedUntil ?? undefined, extraAttempts: work?.extraAttempts }}
    title={`延期 ${work ? workName(work) : ''}`}
    action={() => {
      const save = formAction(extendHomework, `已为${work ? workName(work) : ''}延期`)
      return {
        ...save,
        send: ({ extendedUntil, extraAttempts }: OfOne, request) => {
          const given = { extendedUntil: extendedUntil || null, extraAttempts: extraAttempts ?? null }
          const student = { homeworkStudentId: work?.id, ...withZone(given, ['extendedUntil']) }
          return save.send({ id: work?.homeworkId, students: [student] }, request)
        },
      }
    }}
  >
    <p className="form-hint">延期后在新的时间之前可以作答，不算迟交；作业已截止的也可以补做。</p>
    <Form.Item field="extendedUntil" label="个人截止时间">
      <DateTimeInput aria-label="个人截止时间" dayEnd />
    </Form.Item>
    <Form.Item field="extraAttempts" label="增加次数" extra="在作业允许的次数之外">
      <InputNumber aria-label="增加次数" min={0} max={MOST_EXTRA} precision={0} hideControl />
    </Form.Item>
  </FormDrawer>
)

/** Those who need not do it. */
export interface Exempted {
  ids: number[]
  shown: readonly Work[]
  done: (failed?: BulkResult['failed']) => void
}

const Exempt = fieldsOf(exemptHomework)

/** 免做 with the reason. */
export const ExemptForm = ({ record: wanted, ...drawer }: DrawerProps<Exempted>) => {
  const [only] = wanted?.ids.length === 1 ? wanted.shown : []
  return (
    <FormDrawer<{ reason?: string }, BulkResult>
      {...drawer}
      record={undefined}
      title={only ? `免做 ${workName(only)}` : `免做${formatNumber(wanted?.ids.length ?? 0)}份作业`}
      okText="免做"
      action={() => formAction(exemptHomework, '已登记免做', { homeworkStudentIds: wanted?.ids ?? [] })}
      onSaved={(answer) => {
        wanted?.done(answer.failed)
        if (answer.failed.length > 0) tellFailures('免做', answer)
      }}
    >
      <p className="form-hint">免做的作业不计入作业成绩；已有的答卷保留。</p>
      <Exempt name="reason" help="学生可以看到" />
    </FormDrawer>
  )
}
