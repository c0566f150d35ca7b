import { InputNumber } from '@arco-design/web-react'

interface TuitionProps {
  value?: number
  onChange?: (fen: number | undefined) => void
  'aria-label'?: string
}

/** Typed in 元, kept in 分. */
export const Tuition = ({ value, onChange, ...rest }: TuitionProps) => (
  <InputNumber
    {...rest}
    min={0}
    max={1_000_000}
    precision={2}
    hideControl
    value={value == null ? undefined : value / 100}
    onChange={(yuan) => onChange?.(yuan == null ? undefined : Math.round(yuan * 100))}
  />
)
