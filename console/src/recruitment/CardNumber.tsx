import { Button, Input } from '@arco-design/web-react'
import { useState } from 'react'
import { IdCardInput } from '@/people/IdCardInput'

interface CardNumberProps {
  /** The number of a known person, masked. */
  stored: string | undefined
  value?: string
  onChange?: (number: string) => void
  disabled?: boolean
  'aria-label'?: string
}

/** 证件号: of a known person it stays masked until it is typed anew, because half of it cannot be typed over. */
export const CardNumber = ({ stored, ...control }: CardNumberProps) => {
  const [anew, setAnew] = useState(false)
  if (!stored || control.disabled) return <IdCardInput {...control} />
  const turn = () => {
    control.onChange?.(anew ? stored : '')
    setAnew(!anew)
  }
  return (
    <>
      {anew ? <IdCardInput {...control} /> : <Input {...control} readOnly />}
      <Button type="text" size="mini" onClick={turn}>
        {anew ? '保留原证件号' : '重新填写证件号'}
      </Button>
    </>
  )
}
