import { DatePicker, Input, InputNumber, Select, Switch } from '@arco-design/web-react'
import type { Setting } from './settingWords'

type Control = Pick<Setting, 'type' | 'options' | 'min' | 'max' | 'maxLength'>

interface ValueInputProps {
  of: Control
  value?: unknown
  onChange?: (value: unknown) => void
  disabled?: boolean
  'aria-label': string
}

/** The control of a single value. */
export const ValueInput = ({ of, value, onChange, disabled, ...named }: ValueInputProps) => {
  const options = of.options.map(({ code, desc }) => ({ value: code, label: desc }))
  const text = typeof value === 'string' ? value : ''
  switch (of.type) {
    case 'bool':
      return <Switch {...named} checked={value === true} onChange={onChange} disabled={disabled} />
    case 'int':
    case 'decimal':
      return (
        <InputNumber
          {...named}
          min={of.min ?? Number.MIN_SAFE_INTEGER}
          max={of.max ?? Number.MAX_SAFE_INTEGER}
          precision={of.type === 'int' ? 0 : undefined}
          value={typeof value === 'number' ? value : undefined}
          onChange={onChange}
          disabled={disabled}
          hideControl
        />
      )
    case 'select':
    case 'number':
      return (
        <Select
          {...named}
          placeholder="请选择"
          options={options}
          value={value === undefined || value === null ? undefined : String(value)}
          onChange={(code: string) => onChange?.(of.type === 'number' ? Number(code) : code)}
          disabled={disabled}
        />
      )
    case 'date':
      return (
        <DatePicker
          value={text || undefined}
          onChange={onChange}
          disabled={disabled}
          inputProps={{ 'aria-label': named['aria-label'] }}
        />
      )
    default:
      return (
        <Input
          {...named}
          value={text}
          onChange={onChange}
          maxLength={of.maxLength ?? undefined}
          placeholder={of.type === 'time' ? '例如 08:30' : undefined}
          disabled={disabled}
          allowClear={of.type === 'text'}
        />
      )
  }
}
