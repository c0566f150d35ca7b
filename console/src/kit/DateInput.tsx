import { DatePicker } from '@arco-design/web-react'
import { useRef, useState } from 'react'
import { typedDate } from './format'

interface DateInputProps {
  id?: string
  value?: string
  onChange?: (day: string | undefined) => void
  'aria-label'?: string
  disabled?: boolean
  placeholder?: string
  allowClear?: boolean
  /** Of the days behind it none can be picked; what is typed is the screen’s to refuse. */
  latest?: string
}

/** A date, picked or typed. Arco takes what was typed only with Enter; people type and go on to the next field. */
export const DateInput = ({ 'aria-label': label, onChange, latest, ...rest }: DateInputProps) => {
  const typed = useRef('')
  const [open, setOpen] = useState(false)
  return (
    <DatePicker
      {...rest}
      popupVisible={open}
      onVisibleChange={(visible) => setOpen(visible ?? false)}
      disabledDate={latest ? (day) => day.format('YYYY-MM-DD') > latest : undefined}
      onChange={(day) => onChange?.(day || undefined)}
      inputProps={{
        'aria-label': label,
        onInput: (event) => {
          typed.current = event.currentTarget.value
        },
        // Arco would leave the calendar over what comes next.
        onKeyDown: ({ key }) => {
          if (key === 'Tab') setOpen(false)
        },
        onBlur: () => {
          const day = typedDate(typed.current)
          typed.current = ''
          if (day && day !== rest.value) onChange?.(day)
        },
      }}
    />
  )
}
