import { Form, Input, InputNumber } from '@arco-design/web-react'
import type { Operation } from '@/api/operation'
import type { BulkResult } from './actions'
import { tellFailures } from './BulkBar'
import { FileUpload } from './FileUpload'
import { FormDrawer } from './FormDrawer'
import { formAction } from './formAction'
import { type LengthOfReason, reasonRefusal } from './reason'
import type { DrawerProps } from './useDrawer'

const LEAST = 2
const MOST = 200
const MOST_MINUTES = 120

const labels = { reason: '原因', opinion: '意见', remark: '意见', comment: '意见', text: '内容' } as const

/** A step that asks why it is done: to one record or to several. */
export interface Reasoned extends Partial<LengthOfReason> {
  do: Operation<unknown, unknown, unknown>
  title: string
  verb: string
  /** What follows from it. */
  hint?: string
  /** What goes with the words: which rows, and their version. */
  body: object
  done: string
  /** The body's name for what is typed, where it is no reason. */
  field?: keyof typeof labels
  most?: number
  /** How long, too. */
  minutes?: boolean
  /** What proves it is uploaded with it, in words. */
  file?: string
  /** What cannot be had back, or harms somebody. */
  danger?: boolean
  /** The ticks of what was left as it is stay. */
  settle?: (failed: BulkResult['failed']) => void
}

const isBulk = (answer: unknown): answer is BulkResult =>
  typeof answer === 'object' && answer !== null && 'failed' in answer && Array.isArray(answer.failed)

type Report = (message?: string) => void

/** 退回, 撤回, 取消, 作废, 加时: why, and what then is said of it. */
export const ReasonForm = ({ record: wanted, ...drawer }: DrawerProps<Reasoned>) => {
  const { field = 'reason', least = LEAST, most = MOST, optional = false } = wanted ?? {}
  const label = labels[field]
  const words = `${least}至${most}个字符`
  return (
    <FormDrawer<Record<string, unknown>, unknown>
      {...drawer}
      record={undefined}
      title={wanted?.title ?? ''}
      okText={wanted?.verb}
      danger={wanted?.danger}
      action={() => {
        if (!wanted) throw new Error('nothing is asked for')
        return formAction(wanted.do, wanted.done, wanted.body)
      }}
      onSaved={(answer) => {
        if (!isBulk(answer)) return
        wanted?.settle?.(answer.failed)
        if (answer.failed.length > 0) tellFailures(wanted?.verb ?? '', answer)
      }}
    >
      {wanted?.hint && <p className="form-hint">{wanted.hint}</p>}
      {wanted?.minutes && (
        <Form.Item field="minutes" label="分钟" required rules={[{ required: true, message: '请输入分钟' }]}>
          <InputNumber aria-label="分钟" min={1} max={MOST_MINUTES} precision={0} hideControl />
        </Form.Item>
      )}
      <Form.Item
        field={field}
        label={label}
        required={!optional}
        extra={optional ? `可以不填；${words}` : words}
        rules={[
          { validator: (value: unknown, report: Report) => report(reasonRefusal(value, label, { least, optional })) },
        ]}
      >
        <Input.TextArea aria-label={label} maxLength={most} showWordLimit autoSize={{ minRows: 2, maxRows: 6 }} />
      </Form.Item>
      {wanted?.file && (
        <Form.Item
          field="fileKey"
          label={wanted.file}
          rules={[{ required: true, message: `请上传${wanted.file}` }]}
          extra="PDF、图片"
        >
          <FileUpload aria-label={wanted.file} type={3} purpose="registration" accept=".pdf,.jpg,.jpeg,.png" />
        </Form.Item>
      )}
    </FormDrawer>
  )
}
