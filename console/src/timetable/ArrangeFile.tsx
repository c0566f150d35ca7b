import { Descriptions, Empty, Table } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { useRequest } from '@/api/schoolContext'
import { show } from '@/kit/columns'
import { formatNumber } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import { fieldOf } from '@/kit/labels'
import { RowActions } from '@/kit/RowActions'
import { Word } from '@/kit/Status'
import { TabPanels } from '@/kit/TabList'
import { useDrawer } from '@/kit/useDrawer'
import { historyOf } from '@/logs/RecordHistory'
import { listArranges, viewArrange } from './api'
import { lessonActions } from './lessonActions'
import { CancelLessonForm, type Move, MoveForm } from './SessionForms'
import {
  type Arrange,
  hoursTone,
  hoursWords,
  type Lesson,
  type Meeting,
  periodWords,
  statusTones,
  timeWords,
  weekdays,
} from './timetableRules'

const trail = historyOf(viewArrange, 'course_arrange')

const facts = [
  'semesterName',
  'kind',
  'teacherName',
  'siteName',
  'classroomName',
  'capacity',
  'students',
  'sessions',
  'allowOverCapacity',
  'publishedAt',
  'cancelReason',
  'remark',
] as const

const Facts = ({ arrange }: { arrange: Arrange }) => (
  <>
    <Descriptions
      column={2}
      labelStyle={{ width: 110 }}
      data={[
        { key: 'status', label: '状态', value: show(listArranges, 'status', arrange.status, statusTones) },
        { key: 'course', label: '课程', value: `${arrange.courseName} ${arrange.courseCode}` },
        { key: 'time', label: '时间', value: timeWords(arrange) },
        { key: 'assistants', label: '助教', value: arrange.assistants.map(({ name }) => name).join('、') || '—' },
        ...facts.map((field) => ({
          key: field,
          label: fieldOf(listArranges, field).label,
          value: show(listArranges, field, arrange[field], undefined),
        })),
      ]}
    />
    <Table
      size="small"
      rowKey="key"
      border={{ wrapper: true }}
      pagination={false}
      data={arrange.classes.map((each) => ({ ...each, key: `${each.openingId}-${each.classId}` }))}
      columns={[
        { title: '班级', dataIndex: 'className' },
        { title: '人数', dataIndex: 'students', width: 90, align: 'right', render: formatNumber },
        {
          title: '已排/应排学时',
          dataIndex: 'scheduled',
          width: 140,
          render: (_: unknown, each: Arrange['classes'][number]) => (
            <Word tone={hoursTone(each)}>{hoursWords(each)}</Word>
          ),
        },
      ]}
    />
  </>
)

const weekdayOf = (date: string) => weekdays[(new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7]?.label ?? ''

interface MeetingsProps {
  arrange: Arrange
  meetings: readonly Meeting[]
}

const Meetings = ({ arrange, meetings }: MeetingsProps) => {
  const move = useDrawer<Move>()
  const drop = useDrawer<Lesson>()
  return (
    <>
      <Table
        size="small"
        rowKey="id"
        border={{ wrapper: true }}
        pagination={{ pageSize: 20, hideOnSinglePage: true }}
        data={[...meetings]}
        noDataElement={<Empty description="没有课次" />}
        columns={[
          {
            title: '日期',
            dataIndex: 'date',
            width: 150,
            render: (date: string) => `${date} ${weekdayOf(date)}`,
          },
          {
            title: '节次',
            dataIndex: 'periodFrom',
            width: 90,
            render: (_: unknown, { periodFrom, periodTo }: Meeting) => periodWords(periodFrom, periodTo),
          },
          { title: '教师', dataIndex: 'teacherName', width: 80 },
          { title: '教室', dataIndex: 'classroomName', width: 110, render: (name?: string | null) => name ?? '—' },
          {
            title: '状态',
            dataIndex: 'status',
            render: (_: unknown, { status, attended, movedFromId, reason }: Meeting) => (
              <>
                <Word tone={status === 'scheduled' ? 'good' : 'bad'}>
                  {status === 'scheduled' ? '已安排' : '已取消'}
                </Word>
                {movedFromId && <Word tone="busy">调课</Word>}
                {attended && <Word tone="quiet">已考勤</Word>}
                {reason && <div className="nothing">{reason}</div>}
              </>
            ),
          },
          {
            title: '操作',
            dataIndex: 'id',
            width: 130,
            render: (_: unknown, meeting: Meeting) => (
              <RowActions
                actions={lessonActions(
                  { ...meeting, courseName: arrange.courseName, siteId: arrange.siteId },
                  { arrange: arrange.status, session: meeting.status, attended: meeting.attended },
                  (lesson) => move.open({ lesson }),
                  (lesson) => drop.open(lesson),
                )}
              />
            ),
          },
        ]}
      />
      <MoveForm key={`move-${move.key}`} {...move.props} />
      <CancelLessonForm key={`drop-${drop.key}`} {...drop.props} />
    </>
  )
}

/** 查看: the lessons of an arrangement, what it is, and who changed it. */
export const ArrangeFile = ({ arrange }: { arrange: Arrange }) => {
  const request = useRequest()
  const { id } = arrange
  const found = useQuery({
    queryKey: [viewArrange.path, id],
    queryFn: ({ signal }) => request(viewArrange, { query: { id } }, { signal }),
  })
  return (
    <TabPanels
      key={id}
      label={listArranges.title}
      panels={[
        {
          title: '课次',
          content: <Loaded query={found}>{(view) => <Meetings arrange={view} meetings={view.meetings} />}</Loaded>,
        },
        {
          title: '资料',
          content: (
            <>
              <Facts arrange={arrange} />
              {trail(arrange)}
            </>
          ),
          late: true,
        },
      ]}
    />
  )
}
