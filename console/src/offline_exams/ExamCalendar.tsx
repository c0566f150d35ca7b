import { Button, Empty } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { useAllowed } from '@/api/identity'
import { useRequest } from '@/api/schoolContext'
import { batches } from '@/exams/choices'
import { type Setup, setupTones } from '@/exams/examRules'
import { useBatch } from '@/exams/useBatch'
import { Can } from '@/kit/Can'
import { formatNumber, formatTime } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import { labelOf } from '@/kit/labels'
import { OptionSelect } from '@/kit/OptionSelect'
import { Word } from '@/kit/Status'
import { useAddress } from '@/kit/useAddress'
import { FIRST_PAGE } from '@/kit/useQueryTable'
import { paths } from '@/paths'
import { listOfflineClashes, listOfflineSetups, saveOfflineSetup } from './api'
import { calendarOf } from './offlineRules'
import './offlineExams.css'

/** So many examinations a batch has at the most in one calendar. */
const MOST = 500

/** Whether candidates of a draft are in another examination at the time. */
const ClashMark = ({ exam }: { exam: Setup }) => {
  const request = useRequest()
  const may = useAllowed()(listOfflineClashes)
  const sessionId = exam.sessionId ?? 0
  const { data } = useQuery({
    queryKey: [listOfflineClashes.path, exam.id, sessionId],
    queryFn: ({ signal }) => request(listOfflineClashes, { query: { setupId: exam.id, sessionId } }, { signal }),
    enabled: may && exam.status === 'draft' && exam.sessionId != null,
  })
  const count = data?.list.length ?? 0
  return count > 0 ? <Word tone="bad">冲突{formatNumber(count)}人</Word> : null
}

const ExamChip = ({ exam }: { exam: Setup }) => {
  const navigate = useNavigate()
  return (
    <li>
      <Button type="text" size="small" title={exam.name} onClick={() => navigate(`${paths.offlineExam}?id=${exam.id}`)}>
        {exam.courseName} {formatNumber(exam.candidateCount)}人
      </Button>
      <Word tone={setupTones[exam.status]}>{labelOf(listOfflineSetups, 'status', exam.status)}</Word>
      <ClashMark exam={exam} />
    </li>
  )
}

const Calendar = ({ batchId }: { batchId: number }) => {
  const request = useRequest()
  const body = { batchId, pageCurrent: FIRST_PAGE, pageSize: MOST }
  const query = useQuery({
    queryKey: [listOfflineSetups.path, 'calendar', body],
    queryFn: ({ signal }) => request(listOfflineSetups, { body }, { signal }),
  })
  return (
    <Loaded query={query}>
      {({ list }) => {
        const { calendar, unplaced } = calendarOf(list.filter(({ status }) => status !== 'cancelled'))
        if (calendar.length === 0 && unplaced.length === 0)
          return <Empty description="本批次还没有线下考试。新增考试，或按课程添加。" />
        const most = Math.max(1, ...calendar.map(({ sessions }) => sessions.length))
        return (
          <>
            {calendar.length > 0 && (
              <table className="exam-calendar">
                <caption className="unseen">考试日历</caption>
                <tbody>
                  {calendar.map(({ day, sessions }) => (
                    <tr key={day}>
                      <th scope="row">{day}</th>
                      {sessions.map(({ code, exams }) => (
                        <td key={code}>
                          <strong>
                            {code}场 {formatTime(exams[0]?.startsAt, 'HH:mm')}-{formatTime(exams[0]?.endsAt, 'HH:mm')}
                          </strong>
                          <ul>
                            {exams.map((exam) => (
                              <ExamChip key={exam.id} exam={exam} />
                            ))}
                          </ul>
                        </td>
                      ))}
                      {sessions.length < most && <td colSpan={most - sessions.length} />}
                    </tr>
                  ))}
                </tbody>
              </table>
            )}
            {unplaced.length > 0 && (
              <section className="exam-unplaced" aria-label="没有场次的考试">
                <h3>没有场次的考试</h3>
                <ul>
                  {unplaced.map((exam) => (
                    <ExamChip key={exam.id} exam={exam} />
                  ))}
                </ul>
              </section>
            )}
          </>
        )
      }}
    </Loaded>
  )
}

/** The examinations of a batch, the newest where none is asked for, by day and session, with what clashes. */
export const ExamCalendar = () => {
  const navigate = useNavigate()
  const { query, asked } = useBatch()
  const [, setSearch] = useAddress()
  const choose = (id: number | undefined) =>
    setSearch((before) => {
      const after = new URLSearchParams(before)
      if (id) after.set('batchId', String(id))
      else after.delete('batchId')
      return after
    })
  return (
    <Loaded query={query} rows={4}>
      {(choices) => {
        const batchId = asked ?? choices[0]?.code
        return (
          <>
            <div className="filter form-lead">
              <span className="filter-label">批次</span>
              <OptionSelect label="批次" placeholder="请选择批次" {...batches} value={batchId} onChange={choose} />
              <Can do={saveOfflineSetup}>
                <Button
                  type="primary"
                  onClick={() =>
                    navigate(`${paths.offlineExam}?new=true${batchId === undefined ? '' : `&batchId=${batchId}`}`)
                  }
                >
                  新增考试
                </Button>
              </Can>
            </div>
            {batchId === undefined ? (
              <Empty description="还没有考试批次，请先在考试批次中新增" />
            ) : (
              <Calendar key={batchId} batchId={batchId} />
            )}
          </>
        )
      }}
    </Loaded>
  )
}
