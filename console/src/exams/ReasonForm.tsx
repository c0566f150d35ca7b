import { Form, Input, InputNumber } from '@arco-design/web-react'
import type { Operation } from '@/api/operation'
import type { BulkResult } from '@/kit/actions'
import { tellFailures } from '@/kit/BulkBar'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import type { DrawerProps } from '@/kit/useDrawer'

const MOST_MINUTES = 120
const LEAST = 2
const MOST = 200

/** A step that asks why it is done. */
export interface Reasoned {
  do: Operation<unknown, unknown, unknown>
  title: string
  okText: string
  /** What follows from it. */
  hint: string
  done: string
  /** What goes with the words: which rows, and their version. */
  body: object
  danger?: boolean
  /** The name of what is typed, where it is no reason. */
  words?: { field: string; label: string; least?: number; most?: number }
  /** How long, too. */
  minutes?: boolean
  /** Gets what was left as it is. */
  onDone?: (failed: BulkResult['failed']) => void
}

const USUAL: NonNullable<Reasoned['words']> = { field: 'reason', label: '原因' }

type Report = (message?: string) => void

const isBulk = (answer: unknown): answer is BulkResult =>
  typeof answer === 'object' && answer !== null && 'failed' in answer && Array.isArray(answer.failed)

/** Why something is done to one or several: 取消, 作废, 撤销, 移除, 加时. */
export const ReasonForm = ({ record: wish, ...drawer }: DrawerProps<Reasoned>) => {
  const { field, label, least = LEAST, most = MOST } = wish?.words ?? USUAL
  return (
    <FormDrawer<object, unknown>
      {...drawer}
      record={undefined}
      title={wish?.title ?? ''}
      okText={wish?.okText}
      danger={wish?.danger}
      action={() => {
        if (!wish) throw new Error('nothing was asked for')
        return formAction(wish.do, wish.done, wish.body)
      }}
      onSaved={(answer) => {
        const failed = isBulk(answer) ? answer.failed : []
        wish?.onDone?.(failed)
        if (isBulk(answer) && failed.length > 0) tellFailures(wish?.okText ?? '', answer)
      }}
    >
      <p className="form-hint">{wish?.hint}</p>
      {wish?.minutes && (
        <Form.Item field="minutes" label="分钟" required rules={[{ required: true, message: '请输入分钟' }]}>
          <InputNumber aria-label="分钟" min={1} max={MOST_MINUTES} precision={0} hideControl />
        </Form.Item>
      )}
      <Form.Item
        field={field}
        label={label}
        required
        extra={`${least}至${most}个字符`}
        rules={[
          {
            validator: (value, report: Report) =>
              report([...String(value ?? '').trim()].length < least ? `请填写${label}` : undefined),
          },
        ]}
      >
        <Input.TextArea aria-label={label} maxLength={most} showWordLimit autoSize={{ minRows: 2, maxRows: 6 }} />
      </Form.Item>
    </FormDrawer>
  )
}
