import { DatePicker } from '@arco-design/web-react'
import { useRef, useState } from 'react'
import { typedMoment } from './format'

interface DateTimeInputProps {
  id?: string
  value?: string
  onChange?: (moment: string | undefined) => void
  'aria-label'?: string
  disabled?: boolean
  placeholder?: string
  allowClear?: boolean
  /** Of a day without a time its last second is meant: what ends includes the day. */
  dayEnd?: boolean
}

const FIRST = '00:00:00'
const LAST = '23:59:59'

/** A moment, picked or typed; a day alone is enough. Arco takes what was typed only whole and with Enter. */
export const DateTimeInput = ({ 'aria-label': label, onChange, dayEnd = false, ...rest }: DateTimeInputProps) => {
  const typed = useRef('')
  const [open, setOpen] = useState(false)
  const time = dayEnd ? LAST : FIRST
  const take = () => {
    const moment = typedMoment(typed.current, time)
    typed.current = ''
    if (moment && moment !== rest.value) onChange?.(moment)
  }
  return (
    <DatePicker
      {...rest}
      showTime={{ defaultValue: time }}
      popupVisible={open}
      onVisibleChange={(visible) => setOpen(visible ?? false)}
      onChange={(moment) => {
        typed.current = ''
        onChange?.(moment || undefined)
      }}
      inputProps={{
        'aria-label': label,
        onInput: (event) => {
          typed.current = event.currentTarget.value
        },
        onKeyDown: ({ key }) => {
          if (key === 'Tab') setOpen(false)
          if (key === 'Enter') take()
        },
        onBlur: take,
      }}
    />
  )
}
