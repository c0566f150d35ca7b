import { SeveralOptions } from '@/kit/SeveralOptions'
import { papersOf } from './choices'
import { type SlotPaper, slotsOf } from './examRules'

interface SlotsProps {
  courseId: number | undefined
  /** One alone. */
  single?: boolean
  value?: readonly SlotPaper[]
  onChange?: (papers: SlotPaper[]) => void
  disabled?: boolean
  'aria-label'?: string
}

/** 试卷 A–F of an examination, of the course's approved ones. */
export const SlotsInput = ({ courseId, single = false, value = [], onChange, disabled, ...named }: SlotsProps) => {
  const label = named['aria-label'] ?? '试卷'
  if (disabled) return <p>{value.length > 0 ? value.map(({ slot }) => `${slot}卷`).join('、') : '没有选择试卷'}</p>
  return (
    <SeveralOptions
      label={label}
      placeholder={courseId === undefined ? '请先选择课程' : '请选择审核通过的试卷'}
      {...papersOf(courseId)}
      value={value.map(({ paperId }) => paperId)}
      onChange={(ids) => onChange?.(slotsOf(single ? ids.slice(-1) : ids))}
    />
  )
}
