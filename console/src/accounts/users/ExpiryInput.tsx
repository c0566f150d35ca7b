import { DateInput } from '@/kit/DateInput'

interface ExpiryInputProps {
  value?: string
  onChange?: (moment: string | undefined) => void
  placeholder?: string
  'aria-label'?: string
}

/** The product's one offset from UTC. */
const END_OF_DAY = 'T23:59:59+08:00'

/** 有效期至: the day is chosen, its end in China is meant. An end that is not touched stays as it was, to the second. */
export const ExpiryInput = ({ value, onChange, placeholder = '留空为长期有效', ...rest }: ExpiryInputProps) => (
  <DateInput
    {...rest}
    allowClear
    placeholder={placeholder}
    value={value?.slice(0, 'YYYY-MM-DD'.length)}
    onChange={(day) => onChange?.(day && `${day}${END_OF_DAY}`)}
  />
)
