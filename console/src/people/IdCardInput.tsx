import { Form, Input } from '@arco-design/web-react'
import { formatTime } from '@/kit/format'
import { checkDocument } from './idCard'
import './idCard.css'

interface IdCardInputProps {
  value?: string
  onChange?: (number: string) => void
  disabled?: boolean
  /** The number as the form was filled with it, masked: it stays as it is and is not looked at. */
  stored?: string | null
  maxLength?: number
  /** What of the person the form asks for beside the number. */
  fills?: readonly ('birthday' | 'gender')[]
  'aria-label'?: string
}

/** A document's number: what is wrong is said while one types, and what it says of the person is filled in. */
export const IdCardInput = ({
  value,
  onChange,
  stored,
  maxLength = 40,
  fills = ['birthday', 'gender'],
  ...rest
}: IdCardInputProps) => {
  const { form } = Form.useFormContext()
  const type: string | undefined = Form.useWatch('idCardType', form)
  const gender: string | undefined = Form.useWatch('gender', form)
  const birthday: string | undefined = Form.useWatch('birthday', form)
  const today = formatTime(new Date(), 'YYYY-MM-DD')
  const change = (text: string) => {
    onChange?.(text)
    const card = checkDocument(type, text, today)
    if (typeof card === 'object') form.setFieldsValue(Object.fromEntries(fills.map((field) => [field, card[field]])))
  }
  const looked = value && !rest.disabled && value !== stored
  const checked = looked ? checkDocument(type, value, today, { gender, birthday }) : undefined
  return (
    <>
      <Input {...rest} value={value} maxLength={maxLength} allowClear onChange={change} />
      <span className="id-card-refusal" role="status">
        {typeof checked === 'string' && checked}
      </span>
    </>
  )
}
