import { Descriptions } from '@arco-design/web-react'
import { Link } from 'react-router'
import { useAllowed } from '@/api/identity'
import { listSelections } from '@/course_selection/api'
import { listHomework } from '@/homework/api'
import { columnsOf, show } from '@/kit/columns'
import { formatNumber, formatTenths } from '@/kit/format'
import { fieldOf } from '@/kit/labels'
import { ShortList } from '@/kit/ShortList'
import { TabPanels } from '@/kit/TabList'
import { usePlaces } from '@/kit/usePlaces'
import { Watermark } from '@/kit/Watermark'
import { historyOf } from '@/logs/RecordHistory'
import { listArranges } from '@/timetable/api'
import { listAllocations, listOpenings, viewOpening } from './api'
import { OpeningTeachers } from './OpeningTeachers'
import { filling, type Opening, statusTones } from './openingRules'
import '@/kit/figures.css'

const trail = historyOf(viewOpening, 'course_opening')

const roster = columnsOf(listSelections, [
  { field: 'name', width: 90 },
  { field: 'studentNo', width: 130 },
  { field: 'className', title: '班级', width: 150 },
  { field: 'source', width: 70 },
  { field: 'status', width: 80 },
  { field: 'selectedAt', width: 160 },
])

const arranged = columnsOf(listArranges, [
  {
    field: 'classes',
    title: '班级',
    width: 160,
    render: ({ classes }) => classes.map((each) => each.className).join('、'),
  },
  { field: 'teacherName', title: '教师', width: 80 },
  {
    field: 'weeks',
    title: '时间',
    width: 170,
    render: ({ mode, weeks, weekday, dates, periodFrom, periodTo }) =>
      `${mode === 'weekly' ? `${weeks}周 星期${'一二三四五六日'.charAt((weekday ?? 1) - 1)}` : dates.join('、')} 第${periodFrom === periodTo ? periodFrom : `${periodFrom}-${periodTo}`}节`,
  },
  { field: 'classroomName', title: '教室', width: 100 },
  { field: 'sessions', title: '课次', width: 60 },
  { field: 'status', title: '状态', width: 80 },
])

const homework = columnsOf(listHomework, [
  { field: 'title', width: 150 },
  { field: 'status', width: 76 },
  { field: 'endsAt', width: 160 },
  {
    field: 'handedCount',
    title: '已交/应交',
    width: 96,
    render: ({ handedCount, dueCount }) => `${formatNumber(handedCount)} / ${formatNumber(dueCount)}`,
  },
  { field: 'markedCount', width: 64 },
  {
    field: 'averageScore',
    width: 76,
    render: ({ averageScore }) => (averageScore == null ? '—' : formatTenths(averageScore)),
  },
])

const facts = [
  'semesterName',
  'kind',
  'gradeName',
  'levelName',
  'majorName',
  'termNo',
  'typeName',
  'nature',
  'groupName',
  'examForm',
  'assessMode',
  'teachingMode',
  'lectureHours',
  'onlineHours',
  'practiceHours',
  'selfStudyHours',
  'openedAt',
  'closedAt',
  'cancelReason',
  'remark',
] as const

const Facts = ({ opening }: { opening: Opening }) => (
  <Descriptions
    column={2}
    labelStyle={{ width: 96 }}
    data={[
      { key: 'status', label: '状态', value: show(listOpenings, 'status', opening.status, statusTones) },
      { key: 'course', label: '课程', value: `${opening.courseName} ${opening.courseCode}` },
      { key: 'credits', label: '学分', value: formatTenths(opening.credits) },
      { key: 'filling', label: '选课人数/上限', value: filling(opening) },
      ...facts.map((field) => ({
        key: field,
        label: fieldOf(listOpenings, field).label,
        value: show(listOpenings, field, opening[field], undefined),
      })),
    ]}
  />
)

const Roster = ({ opening: { id, semesterId } }: { opening: Opening }) => {
  const places = usePlaces()
  return (
    <>
      <p className="form-hint">
        <Link className="overview-link" to={places('courseSelections', { semesterId, openingId: id })}>
          在“学生选课”中办理补选、退选和免修
        </Link>
      </p>
      <ShortList
        of={listSelections}
        filter={{ openingId: id }}
        columns={roster}
        page="学生选课"
        empty="名单上还没有学生。开课后必修课程的学生自动进入，选修课程由学生选择或补选。"
      />
      <Watermark />
    </>
  )
}

/** 查看: the roster of an opening, who teaches it, and what it is. */
export const OpeningFile = ({ opening }: { opening: Opening }) => {
  const may = useAllowed()
  return (
    <TabPanels
      key={opening.id}
      label={listOpenings.title}
      panels={[
        ...(may(listSelections) ? [{ title: '名单', content: <Roster opening={opening} /> }] : []),
        ...(may(listAllocations)
          ? [{ title: '任课', content: <OpeningTeachers openingId={opening.id} />, late: may(listSelections) }]
          : []),
        ...(may(listHomework)
          ? [
              {
                title: '作业',
                content: (
                  <ShortList
                    of={listHomework}
                    filter={{ openingId: opening.id }}
                    columns={homework}
                    page="作业列表"
                    empty="还没有作业。开课后在“作业列表”中布置。"
                  />
                ),
                late: true,
              },
            ]
          : []),
        ...(may(listArranges)
          ? [
              {
                title: '排课',
                content: (
                  <ShortList
                    of={listArranges}
                    filter={{ openingId: opening.id }}
                    columns={arranged}
                    page="面授排课"
                    empty="还没有排课。面授和混合教学的课程在“面授排课”中安排。"
                  />
                ),
                late: true,
              },
            ]
          : []),
        {
          title: '资料',
          content: (
            <>
              <Facts opening={opening} />
              {trail(opening)}
            </>
          ),
          late: may(listSelections) || may(listAllocations),
        },
      ]}
    />
  )
}
