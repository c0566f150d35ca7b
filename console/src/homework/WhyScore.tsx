import { Alert, Button, Table } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { DataOf } from '@/api/operation'
import { useRequest } from '@/api/schoolContext'
import { formatTime } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import { explainStudentHomework } from './api'
import { score } from './homeworkRules'

type Explained = DataOf<typeof explainStudentHomework>
type Sheet = Explained['sheets'][number]
type Item = Sheet['items'][number]

/** By which key and by whom an answer was marked. */
const by = ({ markState, markedBy, markedAt, answered, keyVersion, correctedBecause, fullToAll }: Item) => {
  if (markState === 'pending') return '待批阅'
  if (markState === 'marked') return [markedBy ?? '教师', markedAt && formatTime(markedAt)].filter(Boolean).join(' ')
  const parts = [!answered && '未作答', `系统按答案第${keyVersion}版`, fullToAll && '全部给分', correctedBecause]
  return parts.filter(Boolean).join('，')
}

const Items = ({ sheet }: { sheet: Sheet }) => (
  <Table
    rowKey="seq"
    size="small"
    border={{ wrapper: true }}
    pagination={{ pageSize: 20, hideOnSinglePage: true }}
    data={[...sheet.items]}
    columns={[
      { title: '题号', width: 60, dataIndex: 'seq' },
      { title: '依据', render: (_: unknown, row: Item) => by(row) },
      { title: '分值', width: 70, align: 'right', render: (_: unknown, row: Item) => score(row.fullScore) },
      { title: '得分', width: 70, align: 'right', render: (_: unknown, row: Item) => score(row.score) },
      { title: '重算', width: 70, align: 'right', render: (_: unknown, row: Item) => score(row.replayed) },
    ]}
  />
)

const Explanation = ({ explained }: { explained: Explained }) => (
  <>
    {explained.agrees ? (
      <Alert type="success" content={`按作业第${explained.homeworkVersion}版的规则重算，与记录的得分一致。`} />
    ) : (
      <Alert
        type="warning"
        content={`重算为${score(explained.replayedRaw)}，记录为${score(explained.finalRaw)}：多为成绩锁定后更正了答案，锁定的答卷保持原分。`}
      />
    )}
    <ol className="score-steps" aria-label="计算过程">
      {explained.steps.map((step) => (
        <li key={step}>{step}</li>
      ))}
    </ol>
    {explained.sheets.map((sheet) => (
      <section key={sheet.sheetId} aria-label={`第${sheet.attemptNo}次的依据`}>
        <h4>
          第{sheet.attemptNo}次 {sheet.paperName}
          {sheet.paperVersion != null && `（第${sheet.paperVersion}版）`}{' '}
          <small className="nothing" title={`试卷内容摘要 ${sheet.sha256}`}>
            {sheet.sha256.slice(0, 8)}
          </small>
          {!sheet.counts && <small className="nothing"> 不计入成绩</small>}
        </h4>
        <Items sheet={sheet} />
      </section>
    ))}
  </>
)

/** 得分说明: why a score is what it is, reckoned anew from what went in. */
export const WhyScore = ({ id }: { id: number }) => {
  const request = useRequest()
  const [asked, setAsked] = useState(false)
  const query = useQuery({
    queryKey: [explainStudentHomework.path, id],
    queryFn: ({ signal }) => request(explainStudentHomework, { query: { homeworkStudentId: id } }, { signal }),
    enabled: asked,
  })
  if (!asked) return <Button onClick={() => setAsked(true)}>得分说明</Button>
  return <Loaded query={query}>{(explained) => <Explanation explained={explained} />}</Loaded>
}
