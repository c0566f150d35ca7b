import { Button, Checkbox, Form } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { useRequest } from '@/api/schoolContext'
import type { Saved } from '@/api/types/shared'
import { viewExamSeatGrid } from '@/exam_seats/api'
import { saveViolation } from '@/exams/api'
import { EvidenceFiles, EvidenceInput } from '@/exams/Evidence'
import { type Reported, ViolationForm } from '@/exams/Violations'
import { Can } from '@/kit/Can'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import { formatNumber } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import { type DrawerProps, useDrawer } from '@/kit/useDrawer'
import { FIRST_PAGE } from '@/kit/useQueryTable'
import { listRoomRecords, recordRoom } from './api'
import { type RoomRecord, toggled, watcherWords } from './dayRules'
import './examDay.css'

/** So many rooms a session has at the most on one page. */
const MOST = 500

interface SeatsProps {
  sessionRoomId: number
  value?: number[]
  onChange?: (seats: number[]) => void
  onReport: (reported: Reported) => void
}

/** Who sits where: a press ticks who did not come; a case is reported beside them. */
const AbsentInput = ({ sessionRoomId, value = [], onChange, onReport }: SeatsProps) => {
  const request = useRequest()
  const query = useQuery({
    queryKey: [viewExamSeatGrid.path, 'record', sessionRoomId],
    queryFn: ({ signal }) => request(viewExamSeatGrid, { query: { sessionRoomId } }, { signal }),
  })
  return (
    <Loaded query={query} rows={4}>
      {({ grid }) => {
        const taken = (grid?.seats ?? []).filter(({ candidateId }) => candidateId != null)
        return (
          <>
            <p className="form-hint">
              应考{formatNumber(taken.length)}人，缺考{formatNumber(value.length)}人，实考
              {formatNumber(taken.length - value.length)}人
            </p>
            <ul className="absent-seats" aria-label="缺考座位">
              {taken.map(({ seatNo, candidateId, name, studentNo, courseName }) => {
                const absent = value.includes(seatNo)
                return (
                  <li key={seatNo}>
                    <button
                      type="button"
                      className={absent ? 'absent-seat absent' : 'absent-seat'}
                      aria-pressed={absent}
                      aria-label={`${seatNo}号 ${name ?? ''}${absent ? ' 缺考' : ''}`}
                      title={[studentNo, courseName].filter(Boolean).join(' ')}
                      onClick={() => onChange?.(toggled(value, seatNo))}
                    >
                      {seatNo} {name}
                    </button>
                    {candidateId != null && (
                      <Can do={saveViolation}>
                        <Button
                          type="text"
                          size="mini"
                          onClick={() => onReport({ candidateId, name: name ?? '', source: 'invigilator' })}
                        >
                          违规
                        </Button>
                      </Can>
                    )}
                  </li>
                )
              })}
            </ul>
          </>
        )
      }}
    </Loaded>
  )
}

interface Draft {
  sessionRoomId: number
  version: number
  absentSeatNos?: number[]
  note?: string
  signedInIds?: number[]
  fileIds?: number[]
}

const Field = fieldsOf(recordRoom)

const draftOf = ({ id, version, absentSeats, note, invigilators }: RoomRecord): Draft => ({
  sessionRoomId: id,
  version,
  absentSeatNos: absentSeats,
  note: note ?? undefined,
  signedInIds: invigilators.filter(({ signedIn }) => signedIn).map(({ invigilatorId }) => invigilatorId),
  fileIds: [],
})

/** 登记 of a room: absent seats, what happened, the form that was signed. */
export const RecordForm = ({ record: room, ...drawer }: DrawerProps<RoomRecord>) => {
  const violation = useDrawer<Reported>()
  return (
    <>
      <FormDrawer<Draft, Saved>
        {...drawer}
        record={room && draftOf(room)}
        width={760}
        title={room ? `登记考场情况 ${room.sessionCode}场 ${room.examRoomNo}考场` : '登记考场情况'}
        okText="登记"
        action={(held) =>
          formAction(
            recordRoom,
            '已登记考场情况，请核对后确认',
            held && { sessionRoomId: held.sessionRoomId, version: held.version },
          )
        }
        reload={async (held, call) => {
          const body = { sessionId: room?.sessionId, pageCurrent: FIRST_PAGE, pageSize: MOST }
          const { list } = await call(listRoomRecords, { body })
          const now = list.find(({ id }) => id === held.sessionRoomId)
          return now ? draftOf(now) : held
        }}
      >
        <Form.Item field="absentSeatNos" label="缺考座位" extra="单击座位标为缺考，再次单击取消">
          {room ? <AbsentInput sessionRoomId={room.id} onReport={violation.open} /> : <span />}
        </Form.Item>
        {room && room.invigilators.length > 0 && (
          <Form.Item field="signedInIds" label="到岗监考" extra="勾选已到岗的监考员">
            <Checkbox.Group
              options={room.invigilators.map(({ invigilatorId, name, role }) => ({
                value: invigilatorId,
                label: watcherWords({ name, role }),
              }))}
            />
          </Form.Item>
        )}
        <Field name="note" help="如试卷缺页、考生突发疾病" />
        {room && room.files.length > 0 && <EvidenceFiles label="已上传的记录表" files={room.files} />}
        <Form.Item
          field="fileIds"
          label="签字的记录表"
          extra={room && room.files.length > 0 ? '再上传时替换已有的记录表；不上传时保留' : undefined}
        >
          <EvidenceInput aria-label="签字的记录表" />
        </Form.Item>
      </FormDrawer>
      <ViolationForm key={`violation-${violation.key}`} {...violation.props} />
    </>
  )
}
