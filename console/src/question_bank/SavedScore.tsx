import { InputNumber } from '@arco-design/web-react'
import { useState } from 'react'

const MOST = 100

interface SavedScoreProps {
  label: string
  value: number
  disabled: boolean
  save: (score: number) => Promise<boolean>
}

/** A score that is saved when one leaves it or presses Enter; one that was not taken falls back. */
export const SavedScore = ({ label, value, disabled, save }: SavedScoreProps) => {
  const [typed, setTyped] = useState<number>()
  const commit = async () => {
    const next = typed
    setTyped(undefined)
    if (next !== undefined && next !== value) await save(next)
  }
  return (
    <InputNumber
      className="score-input"
      size="mini"
      aria-label={label}
      min={0}
      max={MOST}
      precision={1}
      hideControl
      suffix="分"
      disabled={disabled}
      value={typed ?? value}
      onChange={(score) => setTyped(typeof score === 'number' ? score : undefined)}
      onBlur={commit}
      onKeyDown={(event) => {
        if ('key' in event && event.key === 'Enter') commit()
      }}
    />
  )
}
