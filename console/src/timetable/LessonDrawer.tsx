import { Descriptions, Drawer } from '@arco-design/web-react'
import { DialogName } from '@/kit/DialogName'
import { RowActions } from '@/kit/RowActions'
import { Word } from '@/kit/Status'
import { kindWord } from './choices'
import { lessonActions } from './lessonActions'
import { clockOf, type Entry, type Lesson, lessonOf, meetingName, periodWords, weekdayWord } from './timetableRules'

interface LessonDrawerProps {
  entry: Entry | undefined
  onClose: () => void
  onMove: (lesson: Lesson) => void
  onDrop: (lesson: Lesson) => void
}

const stateOf = ({ sessionStatus, status }: Entry) => {
  if (sessionStatus === 'cancelled') return <Word tone="bad">已取消</Word>
  return status === 'draft' ? <Word>草稿</Word> : <Word tone="good">已发布</Word>
}

/** A lesson of a timetable in full, with what may be done with it. */
export const LessonDrawer = ({ entry, onClose, onMove, onDrop }: LessonDrawerProps) => {
  const title = entry ? `${entry.courseName} ${meetingName(entry)}` : ''
  return (
    <Drawer title={title} width={480} visible={entry !== undefined} footer={null} onCancel={onClose} unmountOnExit>
      <DialogName name={title} />
      {entry && (
        <>
          <Descriptions
            column={1}
            labelStyle={{ width: 90 }}
            data={[
              { key: 'state', label: '状态', value: stateOf(entry) },
              {
                key: 'time',
                label: '时间',
                value: `${entry.date} ${weekdayWord(entry.weekday)} ${periodWords(entry.periodFrom, entry.periodTo)} ${clockOf(entry.startsAt)}-${clockOf(entry.endsAt)}`,
              },
              { key: 'week', label: '周次', value: entry.weekNo ? `第${entry.weekNo}周` : '—' },
              { key: 'kind', label: '上课类型', value: kindWord(entry.kind) },
              { key: 'teacher', label: '教师', value: entry.teacherName },
              { key: 'site', label: '站点', value: entry.siteName },
              { key: 'room', label: '教室', value: entry.classroomName ?? '—' },
              { key: 'classes', label: '班级', value: entry.classNames.join('、') },
              { key: 'attended', label: '考勤', value: entry.attended ? '已登记' : '未登记' },
            ]}
          />
          <RowActions
            actions={lessonActions(
              lessonOf(entry),
              { arrange: entry.status, session: entry.sessionStatus, attended: entry.attended },
              onMove,
              onDrop,
            )}
          />
        </>
      )}
    </Drawer>
  )
}
