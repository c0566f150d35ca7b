import { Form, Input, InputNumber, Select, Switch } from '@arco-design/web-react'
import { isValidElement, type ReactElement } from 'react'
import type { FieldMeta } from '@/api/operation'
import { DateInput } from '@/kit/DateInput'
import { rulesOf } from '@/kit/rules'
import type { FormField } from './stage'

/** As many characters as the server takes where a field names no length of its own. */
const LONGEST = 2000

const kinds: Record<FormField['control'], FieldMeta['kind']> = {
  text: 'text',
  textarea: 'text',
  number: 'number',
  date: 'date',
  select: 'enum',
  multi_select: 'list',
  switch: 'boolean',
  image: 'object',
  file: 'object',
}

/** A pattern that only the server understands is left to it. */
const readable = (pattern: string | null | undefined) => {
  try {
    return pattern ? new RegExp(pattern, 'u').source : undefined
  } catch {
    return undefined
  }
}

const metaOf = ({ label, control, required, maxLength, pattern, helpText }: FormField): FieldMeta => ({
  label,
  kind: kinds[control],
  required,
  maxLength: maxLength ?? LONGEST,
  pattern: readable(pattern),
  help: helpText ? `${label}格式不正确：${helpText}` : undefined,
})

/** A choice is found by a part of its words. */
export const hasWords = (text: string, option: unknown) =>
  isValidElement<{ children?: unknown }>(option) && String(option.props.children).includes(text)

/** What a field is filled in with; files are another's matter. */
export const controlOf = ({ label, control, maxLength, options }: FormField, disabled = false): ReactElement => {
  const common = { disabled, 'aria-label': label }
  const most = maxLength ?? LONGEST
  switch (control) {
    case 'textarea':
      return <Input.TextArea {...common} maxLength={most} showWordLimit autoSize={{ minRows: 2, maxRows: 6 }} />
    case 'number':
      return (
        <InputNumber
          {...common}
          min={Number.MIN_SAFE_INTEGER}
          max={Number.MAX_SAFE_INTEGER}
          placeholder=""
          hideControl
        />
      )
    case 'date':
      return <DateInput {...common} />
    case 'select':
    case 'multi_select':
      return (
        <Select
          {...common}
          mode={control === 'multi_select' ? 'multiple' : undefined}
          placeholder="请选择"
          allowClear
          showSearch
          filterOption={hasWords}
          options={options}
        />
      )
    case 'switch':
      return <Switch {...common} />
    default:
      return <Input {...common} maxLength={most} allowClear />
  }
}

/**
 * A field of the school's own in a form of its stage. The form has its value at `extra.<key>`; the server tells what is wrong
 * with it at the key alone.
 */
export const OwnField = ({ field }: { field: FormField }) => {
  const { fieldKey, label, control, required, helpText } = field
  return (
    <Form.Item
      field={`extra.${fieldKey}`}
      label={label}
      required={required}
      rules={rulesOf(metaOf(field), label)}
      extra={helpText ?? undefined}
      triggerPropName={control === 'switch' ? 'checked' : undefined}
    >
      {controlOf(field)}
    </Form.Item>
  )
}
