import type { Saved } from '@/api/types/shared'
import { BasicSelect, known } from '@/basic_data/BasicSelect'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import { OptionSelect } from '@/kit/OptionSelect'
import type { DrawerProps } from '@/kit/useDrawer'
import { cancelArrange, cancelArrangeSession, moveArrangeSession, viewArrange } from './api'
import { classrooms } from './choices'
import { PeriodSelect } from './inputs'
import { RepairMoves } from './RepairMoves'
import { type Arrange, type Lesson, meetingName, nameOf } from './timetableRules'

const REASON = '2至200个字符，学生和教师可以看到'

const Moved = fieldsOf(moveArrangeSession)

/** Where a lesson goes, where that was pointed at already. */
export interface Move {
  lesson: Lesson
  to?: { date: string; periodFrom: number }
}

interface Moving {
  date?: string
  periodFrom?: number
  periodTo?: number
  classroomId?: number | null
  teacherId?: number
  reason?: string
}

const begin = ({ lesson, to }: Move): Moving => {
  const { classroomId, teacherId } = lesson
  const { date, periodFrom } = to ?? lesson
  return { date, periodFrom, periodTo: periodFrom + lesson.periodTo - lesson.periodFrom, classroomId, teacherId }
}

/** 调课: another day, time, room or teacher for a single lesson. */
export const MoveForm = ({ record: move, ...drawer }: DrawerProps<Move>) => {
  const lesson = move?.lesson
  return (
    <FormDrawer<Moving, Saved>
      {...drawer}
      record={undefined}
      title={lesson ? `调课 ${lesson.courseName} ${meetingName(lesson)}` : '调课'}
      okText="调课"
      initial={move && begin(move)}
      action={() =>
        formAction(
          moveArrangeSession,
          '已调课，原课次已取消',
          lesson && { sessionId: lesson.id, version: lesson.version },
        )
      }
    >
      <p className="form-hint">原课次取消，另排一次；学生和教师会收到通知，已经过去的课次更正时不通知。</p>
      <Moved name="date" />
      <Moved name="periodFrom">
        <PeriodSelect siteId={lesson?.siteId} side="startsAt" />
      </Moved>
      <Moved name="periodTo">
        <PeriodSelect siteId={lesson?.siteId} side="endsAt" />
      </Moved>
      <Moved name="classroomId">
        <OptionSelect label="教室" {...classrooms} known={known(lesson?.classroomId, lesson?.classroomName)} />
      </Moved>
      <Moved name="teacherId">
        <BasicSelect type="teacher" known={known(lesson?.teacherId, lesson?.teacherName)} />
      </Moved>
      <Moved name="reason" help={REASON} />
      {lesson && <RepairMoves key={lesson.id} lesson={lesson} onDone={drawer.onClose} />}
    </FormDrawer>
  )
}

const Dropped = fieldsOf(cancelArrangeSession)

/** 停课: a single lesson does not take place. */
export const CancelLessonForm = ({ record: lesson, ...drawer }: DrawerProps<Lesson>) => (
  <FormDrawer<{ reason?: string }, Saved>
    {...drawer}
    record={undefined}
    title={lesson ? `停课 ${lesson.courseName} ${meetingName(lesson)}` : '停课'}
    okText="停课"
    danger
    action={() =>
      formAction(cancelArrangeSession, '已停课', lesson && { sessionId: lesson.id, version: lesson.version })
    }
  >
    <p className="form-hint">这一次课不再上，教师、教室和班级的时间空出；学生和教师会收到通知。</p>
    <Dropped name="reason" help={REASON} />
  </FormDrawer>
)

const Cancelled = fieldsOf(cancelArrange)

interface Cancelling {
  id: number
  version: number
  reason?: string
}

/** 取消 of an arrangement: what lies ahead goes, what was held stays. */
export const CancelArrangeForm = ({ record: arrange, ...drawer }: DrawerProps<Arrange>) => (
  <FormDrawer<Cancelling, Saved>
    {...drawer}
    record={arrange && { id: arrange.id, version: arrange.version }}
    title={arrange ? `取消排课 ${nameOf(arrange)}` : '取消排课'}
    okText="取消排课"
    danger
    action={(held) => formAction(cancelArrange, '已取消排课', held)}
    reload={async (held, call) => {
      const { version } = await call(viewArrange, { query: { id: held.id } })
      return { ...held, version }
    }}
  >
    <p className="form-hint">未上的课次同时取消，已上的和有考勤的保留；取消后不能恢复。</p>
    <Cancelled name="reason" help={REASON} />
  </FormDrawer>
)
