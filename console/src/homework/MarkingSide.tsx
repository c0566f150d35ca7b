import { Button, Descriptions } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useRequest } from '@/api/schoolContext'
import { Can } from '@/kit/Can'
import { formatPercent, formatTime } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import { labelOf } from '@/kit/labels'
import { Word } from '@/kit/Status'
import { FIRST_PAGE } from '@/kit/useQueryTable'
import { listMarking, listSimilarSheets } from './api'
import { score } from './homeworkRules'
import { type Paper, sheetTones, verdictTones } from './markingRules'
import { SimilarDrawer } from './SimilarPairs'

const MOST = 50

/** Pairs of this sheet, each to be looked at side by side. */
const Similar = ({ paper, anonymous }: { paper: Paper; anonymous: boolean }) => {
  const request = useRequest()
  const [open, setOpen] = useState<number>()
  const body = { sheetId: paper.sheetId, pageCurrent: FIRST_PAGE, pageSize: MOST }
  const query = useQuery({
    queryKey: [listSimilarSheets.path, body],
    queryFn: ({ signal }) => request(listSimilarSheets, { body }, { signal }),
    enabled: open !== undefined,
  })
  return (
    <section aria-label="相似答卷">
      <h3>相似答卷</h3>
      {paper.similar.length === 0 && <p className="nothing">没有相似的答卷</p>}
      <ul>
        {paper.similar.map(({ id, seq, name, studentNo, percent, verdict }) => (
          <li key={id}>
            第{seq}题 {formatPercent(percent)} {!anonymous && [name, studentNo].filter(Boolean).join(' ')}{' '}
            <Word tone={verdictTones[verdict]}>{labelOf(listSimilarSheets, 'verdict', verdict)}</Word>
            <Can do={listSimilarSheets}>
              <Button type="text" size="mini" onClick={() => setOpen(id)}>
                对照
              </Button>
            </Can>
          </li>
        ))}
      </ul>
      {open !== undefined && (
        <Loaded query={query} rows={2}>
          {({ list }) => (
            <SimilarDrawer
              pair={list.find(({ id }) => id === open)}
              anonymous={anonymous}
              onClose={() => setOpen(undefined)}
            />
          )}
        </Loaded>
      )}
    </section>
  )
}

/** Whose sheet it is, their other attempts, and what is like it. */
export const MarkingSide = ({ paper, anonymous }: { paper: Paper; anonymous: boolean }) => (
  <aside className="marking-side" aria-label="答卷资料">
    <section>
      <h3>{anonymous ? '匿名答卷' : paper.name}</h3>
      <Descriptions
        column={1}
        size="small"
        labelStyle={{ width: 90 }}
        data={[
          ...(anonymous
            ? []
            : [
                { label: '学号', value: paper.studentNo ?? '—' },
                { label: '班级', value: paper.className ?? '—' },
                { label: '站点', value: paper.siteName },
              ]),
          { label: '课程', value: paper.courseName },
          { label: '作业', value: paper.title },
          { label: '次数', value: `第${paper.attemptNo}次` },
          { label: '提交时间', value: formatTime(paper.submittedAt) || '—' },
          { label: '迟交', value: paper.late ? '是' : '否' },
          {
            label: '状态',
            value: <Word tone={sheetTones[paper.markState]}>{labelOf(listMarking, 'markState', paper.markState)}</Word>,
          },
          { label: '客观分', value: score(paper.objectiveScore) },
          { label: '占用至', value: formatTime(paper.lockedUntil) || '—' },
        ]}
      />
    </section>
    <Similar paper={paper} anonymous={anonymous} />
    <section aria-label="作答记录">
      <h3>作答记录</h3>
      <ul>
        {paper.attempts.map(({ sheetId, attemptNo, markState, submittedAt, totalScore }) => (
          <li key={sheetId}>
            第{attemptNo}次 {formatTime(submittedAt)} {labelOf(listMarking, 'markState', markState)} {score(totalScore)}
          </li>
        ))}
      </ul>
    </section>
  </aside>
)
