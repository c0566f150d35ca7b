import { Form, Input, InputNumber, Select, Switch } from '@arco-design/web-react'
import { cloneElement, isValidElement, type ReactElement, type ReactNode } from 'react'
import type { FieldMeta, Operation } from '@/api/operation'
import { DateInput } from './DateInput'
import { DateTimeInput } from './DateTimeInput'
import { rulesOf } from './rules'

/** Texts that may be longer get several lines. */
const LONG_TEXT = 150

interface FieldProps<Body> {
  name: keyof Body & string
  /** Only where the document's words do not fit. */
  label?: string
  required?: boolean
  help?: ReactNode
  disabled?: boolean
  placeholder?: string
  /** A control of one's own; it gets `value` and `onChange`. */
  children?: ReactElement<{ 'aria-label'?: string }>
}

const control = (meta: FieldMeta, label: string, disabled: boolean | undefined, placeholder: string | undefined) => {
  const common = { disabled, placeholder, 'aria-label': label }
  switch (meta.kind) {
    case 'enum':
    case 'list':
      return (
        <Select
          {...common}
          mode={meta.kind === 'list' ? 'multiple' : undefined}
          placeholder={placeholder ?? '请选择'}
          allowClear={!meta.required}
          options={(meta.options ?? []).map(([value, words]) => ({ value, label: words }))}
        />
      )
    case 'boolean':
      return <Switch aria-label={label} disabled={disabled} />
    case 'integer':
    case 'number': {
      const { minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER } = meta
      const precision = meta.kind === 'integer' ? 0 : 1
      return <InputNumber {...common} min={minimum} max={maximum} precision={precision} hideControl />
    }
    case 'date':
      return <DateInput {...common} allowClear={!meta.required} />
    case 'datetime':
      return <DateTimeInput {...common} allowClear={!meta.required} />
    default:
      return (meta.maxLength ?? 0) > LONG_TEXT ? (
        <Input.TextArea {...common} maxLength={meta.maxLength} showWordLimit autoSize={{ minRows: 2, maxRows: 6 }} />
      ) : (
        <Input {...common} maxLength={meta.maxLength} allowClear />
      )
  }
}

/**
 * The fields of an operation's body: `const Field = fieldsOf(saveSite)`, then `<Field name="code" />`. Label, required
 * mark, limits, control and help are the document's; a name that the body lacks does not compile.
 */
export const fieldsOf = <Query, Body>(operation: Operation<Query, Body, unknown>) => {
  const Field = ({ name, label, required, help, disabled, placeholder, children }: FieldProps<Body>) => {
    const known = operation.fields[name] ?? { label: name, kind: 'text' as const }
    const meta = { ...known, required: required ?? known.required }
    const words = label ?? meta.label
    return (
      <Form.Item
        field={name}
        label={words}
        required={meta.required}
        rules={rulesOf(meta, words, children ? true : undefined)}
        extra={help ?? meta.help}
        triggerPropName={meta.kind === 'boolean' && !children ? 'checked' : undefined}
      >
        {isValidElement(children)
          ? cloneElement(children, { 'aria-label': children.props['aria-label'] ?? words })
          : control(meta, words, disabled, placeholder)}
      </Form.Item>
    )
  }
  return Field
}
