import { Descriptions } from '@arco-design/web-react'
import { phaseTones, type Setup, setupTones, timeWords } from '@/exams/examRules'
import { show } from '@/kit/columns'
import { formatNumber } from '@/kit/format'
import { fieldOf } from '@/kit/labels'
import { listOnlineSetups } from './api'

const facts = [
  'batchName',
  'courseName',
  'semesterName',
  'round',
  'classCount',
  'passScore',
  'markingStatus',
  'publishedAt',
  'reopenedUntil',
  'cancelReason',
] as const

/** What an examination is, in a few lines. */
export const OnlineExamFacts = ({ exam }: { exam: Setup }) => (
  <Descriptions
    column={3}
    labelStyle={{ width: 100 }}
    data={[
      { key: 'name', label: '考试名称', value: exam.name },
      { key: 'status', label: '状态', value: show(listOnlineSetups, 'status', exam.status, setupTones) },
      { key: 'phase', label: '阶段', value: show(listOnlineSetups, 'phase', exam.phase, phaseTones) },
      { key: 'time', label: '开放时间', value: timeWords(exam.startsAt, exam.endsAt) },
      {
        key: 'people',
        label: '应考/取消资格',
        value: `${formatNumber(exam.candidateCount)} / ${formatNumber(exam.disqualifiedCount)}`,
      },
      ...facts.map((field) => ({
        key: field,
        label: fieldOf(listOnlineSetups, field).label,
        value: show(listOnlineSetups, field, exam[field], undefined),
      })),
    ]}
  />
)
