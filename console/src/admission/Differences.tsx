import { Word } from '@/kit/Status'
import type { Row } from './admissionRules'
import { listAdmissions } from './api'
import './admission.css'

const words = new Map<string, string>(listAdmissions.columns.differences?.options)

/** 姓名、证件号: in what the lead is otherwise, in a sentence. */
export const differenceWords = ({ differences }: Pick<Row, 'differences'>) =>
  differences.map((each) => words.get(each) ?? each).join('、')

/** 预报名对比: in what the lead is otherwise, each as a tag with its word. */
export const Differences = ({ row: { differences, matchStatus } }: { row: Row }) => {
  if (matchStatus === 'unmatched') return <Word>未匹配</Word>
  if (differences.length === 0) return <Word tone="good">一致</Word>
  return (
    <span className="admission-issues">
      {differences.map((each) => (
        <Word key={each} tone="bad">
          {words.get(each) ?? each}
        </Word>
      ))}
    </span>
  )
}
