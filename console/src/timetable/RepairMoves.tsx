import { Alert, Button, Form, Table } from '@arco-design/web-react'
import { useMutation } from '@tanstack/react-query'
import { messageOf, tellSuccess } from '@/api/errors'
import type { DataOf } from '@/api/operation'
import { refetchAll } from '@/api/query'
import { useRequest } from '@/api/schoolContext'
import { Can } from '@/kit/Can'
import { moveArrangeSessions, proposeSessionMoves } from './api'
import { dayWords, type Lesson, periodWords } from './timetableRules'

type Proposed = DataOf<typeof proposeSessionMoves>['moves'][number]

const LEAST_REASON = 2

const when = (day: string, from: number, to: number) => `${dayWords(day)} ${periodWords(from, to)}`

/** 调课建议: the fewest lessons that make room where others stand in the way, moved together or not at all. */
export const RepairMoves = ({ lesson, onDone }: { lesson: Lesson; onDone: () => void }) => {
  const request = useRequest()
  const { form } = Form.useFormContext()
  const date: string | undefined = Form.useWatch('date', form)
  const periodFrom: number | undefined = Form.useWatch('periodFrom', form)
  const periodTo: number | undefined = Form.useWatch('periodTo', form)
  const reason: string | undefined = Form.useWatch('reason', form)
  const propose = useMutation({
    mutationFn: (to: { date: string; periodFrom: number; periodTo: number }) =>
      request(proposeSessionMoves, { body: { sessionId: lesson.id, ...to } }, { quiet: () => true }),
  })
  const move = useMutation({
    mutationFn: ({ moves, why }: { moves: readonly Proposed[]; why: string }) =>
      request(moveArrangeSessions, {
        body: {
          moves: moves.map(({ sessionId, version, date, periodFrom, periodTo, classroomId, teacherId }) => ({
            sessionId,
            version,
            date,
            periodFrom,
            periodTo,
            classroomId,
            teacherId,
            reason: why,
          })),
        },
      }),
    onSuccess: async ({ ids }) => {
      onDone()
      await refetchAll()
      tellSuccess(`已调整${ids.length}次课，原课次已取消`)
    },
  })
  const asked = propose.variables
  const isOld = asked?.date !== date || asked?.periodFrom !== periodFrom || asked?.periodTo !== periodTo
  const moves = isOld ? undefined : propose.data?.moves
  const why = reason?.trim() ?? ''
  return (
    <div className="form-wide">
      <Button
        loading={propose.isPending}
        disabled={!date || !periodFrom || !periodTo}
        onClick={() => date && periodFrom && periodTo && propose.mutate({ date, periodFrom, periodTo })}
      >
        调课建议
      </Button>
      <span className="form-hint"> 时间冲突时，找出改动课次最少的办法</span>
      {propose.isError && !isOld && <Alert className="form-lead" type="warning" content={messageOf(propose.error)} />}
      {moves && (
        <>
          <Table
            size="small"
            rowKey="sessionId"
            border={{ wrapper: true }}
            pagination={false}
            data={[...moves]}
            columns={[
              { title: '课程', render: (_: unknown, row: Proposed) => row.courseName },
              { title: '班级', render: (_: unknown, row: Proposed) => row.classNames.join('、') },
              {
                title: '原时间',
                render: (_: unknown, row: Proposed) => when(row.fromDate, row.fromPeriodFrom, row.fromPeriodTo),
              },
              { title: '改为', render: (_: unknown, row: Proposed) => when(row.date, row.periodFrom, row.periodTo) },
              { title: '教室', render: (_: unknown, row: Proposed) => row.classroomName },
            ]}
          />
          <Can do={moveArrangeSessions}>
            <Button
              type="primary"
              loading={move.isPending}
              disabled={why.length < LEAST_REASON}
              title={why.length < LEAST_REASON ? '请先填写原因' : undefined}
              onClick={() => move.mutate({ moves, why })}
            >
              同时调整{moves.length}次课
            </Button>
          </Can>
        </>
      )}
    </div>
  )
}
