import type { DataOf } from '@/api/operation'
import { formatTime } from '@/kit/format'
import type { viewPaperSnapshot } from './api'
import { type Answer, wordsIn } from './questionRules'

type Correction = DataOf<typeof viewPaperSnapshot>['corrections'][number]

/** An answer in words, of whatever type its question is. */
const wordsOf = (answer: Answer | null | undefined) => {
  if (!answer) return '—'
  if (answer.letters?.length) return answer.letters.join('')
  if (typeof answer.value === 'boolean') return answer.value ? '正确' : '错误'
  if (answer.blanks?.length) return answer.blanks.map(({ accept }) => accept.join('或')).join('；')
  return answer.text ? wordsIn(answer.text) : '—'
}

/** A correction in a line: which question, from what to what, when and why. */
export const labelled = ({ seq, oldAnswer, newAnswer, reason, at }: Correction) =>
  `第${seq}题 ${formatTime(at)}：${wordsOf(oldAnswer)} → ${wordsOf(newAnswer)}（${reason}）`
