import { Form, Input } from '@arco-design/web-react'
import type { Operation } from '@/api/operation'
import type { BulkResult } from './actions'
import { tellFailures } from './BulkBar'
import { FileUpload } from './FileUpload'
import { FormDrawer } from './FormDrawer'
import { formAction } from './formAction'
import type { DrawerProps } from './useDrawer'

const LEAST = 2
const MOST = 200

/** A step that needs a word of why: for one record or for several. */
export interface Reasoned {
  title: string
  verb: string
  /** What follows from it. */
  hint?: string
  operation: Operation<unknown, unknown, unknown>
  /** What goes with the reason: whom it is for. */
  body: object
  done: string
  /** The body's name for it, where it is another. */
  field?: 'reason' | 'opinion' | 'remark' | 'comment'
  /** It may be left out. */
  optional?: boolean
  /** What proves it is uploaded with it, in words. */
  file?: string
  /** What can be had back or harms nobody. */
  safe?: boolean
  /** The ticks of what was left as it is stay. */
  settle?: (failed: BulkResult['failed']) => void
}

const isBulk = (answer: unknown): answer is BulkResult =>
  typeof answer === 'object' && answer !== null && 'failed' in answer && Array.isArray(answer.failed)

type Report = (message?: string) => void

const lengthRefusal = (value: unknown) => {
  const text = typeof value === 'string' ? value.trim() : ''
  return text.length > 0 && text.length < LEAST ? `至少${LEAST}个字符` : undefined
}

/** 退回, 撤回, 取消 and the like: why, and what then is said of it. */
export const ReasonForm = ({ record: wanted, ...drawer }: DrawerProps<Reasoned>) => {
  const label = wanted?.field === undefined || wanted.field === 'reason' ? '原因' : '意见'
  const words = `${LEAST}至${MOST}个字符`
  return (
    <FormDrawer<Record<string, unknown>, unknown>
      {...drawer}
      record={undefined}
      title={wanted?.title ?? ''}
      okText={wanted?.verb}
      danger={!wanted?.safe}
      action={() => {
        if (!wanted) throw new Error('nothing is asked for')
        return formAction(wanted.operation, wanted.done, wanted.body)
      }}
      onSaved={(answer) => {
        if (!isBulk(answer)) return
        wanted?.settle?.(answer.failed)
        if (answer.failed.length > 0) tellFailures(wanted?.verb ?? '', answer)
      }}
    >
      {wanted?.hint && <p className="form-hint">{wanted.hint}</p>}
      <Form.Item
        field={wanted?.field ?? 'reason'}
        label={label}
        extra={wanted?.optional ? `可以不填；${words}` : words}
        rules={[
          ...(wanted?.optional ? [] : [{ required: true, message: `请输入${label}` }]),
          { validator: (value: unknown, report: Report) => report(lengthRefusal(value)) },
        ]}
      >
        <Input.TextArea aria-label={label} maxLength={MOST} showWordLimit autoSize={{ minRows: 2, maxRows: 6 }} />
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
