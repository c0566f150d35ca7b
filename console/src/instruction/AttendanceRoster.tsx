import { Alert, Button, Radio, Space, Table } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { useAllowed } from '@/api/identity'
import { useRequest } from '@/api/schoolContext'
import { formatNumber } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import { Word } from '@/kit/Status'
import { useAction } from '@/kit/useAction'
import { Watermark } from '@/kit/Watermark'
import { useEnumeration } from '@/settings/useEnumeration'
import { listAttendance, saveAttendance } from './api'
import {
  type Attendance,
  allPresent,
  attendanceOf,
  type Chosen,
  countsOf,
  isOpen,
  type Result,
  type Roster,
  type Session,
  sessionName,
  whyNotYet,
  withChosen,
} from './instructionRules'

const RESULTS: readonly Result[] = ['present', 'late', 'leave', 'absent']

interface ChosenProps {
  /** What was chosen and not saved: kept by the page, for whoever looks at another session meanwhile. */
  chosen: Chosen
  onChoose: (change: (before: Chosen) => Chosen) => void
}

const Rows = ({ roster, chosen, onChoose }: ChosenProps & { roster: Roster }) => {
  const { rows } = roster
  const may = useAllowed()(saveAttendance)
  const words = new Map(useEnumeration('attendanceResult').map(({ code, desc }) => [code, desc]))
  const word = (result: string) => words.get(result) ?? result
  const forget = () => onChoose(() => new Map())
  const saving = useAction(saveAttendance, {
    done: `已登记${formatNumber(chosen.size)}名学生的考勤`,
    onDone: forget,
  })
  const early = whyNotYet(roster, new Date())
  const counts = countsOf(chosen, rows)
  const missing = counts.get(undefined) ?? 0
  return (
    <>
      {early && <Alert className="form-lead" type="info" content={early} />}
      <div className="toolbar">
        <span className="figures" role="status">
          {RESULTS.map((result) => (
            <span key={result}>
              {word(result)} <strong>{formatNumber(counts.get(result) ?? 0)}</strong>
            </span>
          ))}
          <span>
            未登记 <strong>{formatNumber(missing)}</strong>
          </span>
        </span>
        {may && !early && (
          <div className="toolbar-right">
            <Space size={8}>
              <Button disabled={missing === 0} onClick={() => onChoose((before) => allPresent(before, rows))}>
                其余全部出勤
              </Button>
              {chosen.size > 0 && <Button onClick={forget}>放弃修改</Button>}
              <Button
                type="primary"
                loading={saving.isPending}
                disabled={chosen.size === 0}
                onClick={() => saving.mutate({ body: { sessionId: roster.id, items: attendanceOf(chosen, rows) } })}
              >
                保存考勤
              </Button>
            </Space>
          </div>
        )}
      </div>
      <Table
        size="small"
        rowKey="selectionId"
        border={{ wrapper: true }}
        pagination={{ pageSize: 100, hideOnSinglePage: true }}
        data={rows}
        noDataElement="名单上还没有学生"
        columns={[
          { title: '姓名', dataIndex: 'name', width: 100 },
          { title: '学号', dataIndex: 'studentNo', width: 140 },
          { title: '班级', dataIndex: 'className', width: 160 },
          {
            title: '考勤',
            dataIndex: 'result',
            render: (_: unknown, row: Attendance) => {
              const result = chosen.get(row.selectionId) ?? row.result ?? undefined
              if (!may || early || !isOpen(row))
                return (
                  <span title={isOpen(row) ? undefined : '面授成绩已提交，不能修改考勤'}>
                    {result ? word(result) : '—'}
                  </span>
                )
              return (
                <Radio.Group
                  type="button"
                  size="small"
                  name={`result-${row.selectionId}`}
                  aria-label={`${row.name}的考勤`}
                  value={result}
                  options={RESULTS.map((value) => ({ value, label: word(value) }))}
                  onChange={(value: Result) => onChoose((before) => withChosen(before, row, value))}
                />
              )
            },
          },
          {
            title: '变动',
            dataIndex: 'status',
            width: 80,
            render: (_: unknown, row: Attendance) => chosen.has(row.selectionId) && <Word tone="busy">未保存</Word>,
          },
        ]}
      />
      <Watermark />
    </>
  )
}

/** The roster of a session: four buttons for each of it, saved together. */
export const AttendanceRoster = ({ session, ...own }: ChosenProps & { session: Session }) => {
  const request = useRequest()
  const sessionId = session.id
  const found = useQuery({
    queryKey: [listAttendance.path, sessionId],
    queryFn: ({ signal }) => request(listAttendance, { query: { sessionId } }, { signal }),
  })
  return (
    <section aria-label={`考勤 ${sessionName(session)}`}>
      <p className="form-hint">
        {session.classNames.join('、')} · {session.teacherName} · {session.classroomName ?? session.siteName}
      </p>
      <Loaded query={found}>{(roster) => <Rows roster={roster} {...own} />}</Loaded>
    </section>
  )
}
