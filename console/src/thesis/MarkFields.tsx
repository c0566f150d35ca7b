import { Form, InputNumber } from '@arco-design/web-react'
import type { MarkItem } from './thesisWords'

interface MarkFieldsProps {
  items: readonly MarkItem[]
  /** Where the scores stand in the form. */
  at: string
  /** Of whom they are, where there are several. */
  who?: string
}

/** The items of a rule, each with a score of its own. */
export const MarkFields = ({ items, at, who = '' }: MarkFieldsProps) =>
  items.map(({ code, name, weight }) => (
    <Form.Item
      key={code}
      field={`${at}.${code}`}
      label={`${who}${name}（${weight}%）`}
      rules={[{ required: true, message: `请输入${name}` }]}
    >
      <InputNumber aria-label={`${who}${name}`} min={0} max={100} precision={1} hideControl />
    </Form.Item>
  ))
