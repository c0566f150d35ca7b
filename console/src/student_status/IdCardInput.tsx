import { Form, Input } from '@arco-design/web-react'
import { formatTime } from '@/kit/format'
import { checkDocument } from './idCard'
import './studentStatus.css'

interface IdCardInputProps {
  value?: string
  onChange?: (number: string) => void
  disabled?: boolean
  'aria-label'?: string
}

/** A document's number: what is wrong is said while one types, and what it says of the person is filled in. */
export const IdCardInput = ({ value, onChange, ...rest }: IdCardInputProps) => {
  const { form } = Form.useFormContext()
  const type: string | undefined = Form.useWatch('idCardType', form)
  const today = formatTime(new Date(), 'YYYY-MM-DD')
  const change = (text: string) => {
    onChange?.(text)
    const card = checkDocument(type, text, today)
    if (typeof card === 'object') form.setFieldsValue({ birthday: card.birthday, gender: card.gender })
  }
  const checked = value && !rest.disabled ? checkDocument(type, value, today) : undefined
  return (
    <>
      <Input {...rest} value={value} maxLength={40} allowClear onChange={change} />
      <span className="id-card-refusal" role="status">
        {typeof checked === 'string' && checked}
      </span>
    </>
  )
}
