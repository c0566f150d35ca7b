import { Descriptions, Empty, Table } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { useRequest } from '@/api/schoolContext'
import { listPeriods } from '@/courses/api'
import { show } from '@/kit/columns'
import { formatPercent, formatTime } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import { fieldOf, labelOf } from '@/kit/labels'
import { Watermark } from '@/kit/Watermark'
import { historyOf } from '@/logs/RecordHistory'
import { viewStudyProgress } from './api'
import { type Detail, endWords, type Session, span } from './studyRules'

const trail = historyOf(viewStudyProgress, 'study_course_progress')

const facts = [
  'studentNo',
  'name',
  'className',
  'courseName',
  'finishedPeriods',
  'totalPeriods',
  'studyMinutes',
  'loginDays',
  'lastAt',
  'finishedAt',
  'importedProgress',
  'remindedAt',
] as const

type Period = Detail['periods'][number]

const Periods = ({ periods }: { periods: readonly Period[] }) => (
  <Table
    rowKey="periodId"
    size="small"
    border={{ wrapper: true }}
    pagination={{ pageSize: 20, hideOnSinglePage: true }}
    data={[...periods]}
    noDataElement={<Empty description="课程还没有上架的课时" />}
    columns={[
      { title: '课时', dataIndex: 'title' },
      { title: '类型', width: 80, render: (_: unknown, row: Period) => labelOf(listPeriods, 'kind', row.kind) },
      { title: '必修', width: 60, render: (_: unknown, row: Period) => (row.required ? '是' : '否') },
      { title: '进度', width: 80, align: 'right', render: (_: unknown, row: Period) => formatPercent(row.progress) },
      { title: '学习时长', width: 110, align: 'right', render: (_: unknown, row: Period) => span(row.watchedSeconds) },
      { title: '最近学习', width: 170, render: (_: unknown, row: Period) => formatTime(row.lastAt) },
      { title: '完成时间', width: 170, render: (_: unknown, row: Period) => formatTime(row.finishedAt) },
    ]}
  />
)

const Sessions = ({ sessions }: { sessions: readonly Session[] }) => (
  <Table
    rowKey="id"
    size="small"
    border={{ wrapper: true }}
    pagination={{ pageSize: 10, hideOnSinglePage: true }}
    data={[...sessions]}
    noDataElement={<Empty description="还没有学习会话" />}
    columns={[
      { title: '课时', dataIndex: 'periodTitle' },
      { title: '开始时间', width: 170, render: (_: unknown, row: Session) => formatTime(row.startedAt) },
      { title: '计入', width: 100, align: 'right', render: (_: unknown, row: Session) => span(row.creditedSeconds) },
      { title: '未计入', width: 100, align: 'right', render: (_: unknown, row: Session) => span(row.rejectedSeconds) },
      { title: 'IP', width: 130, dataIndex: 'ip' },
      { title: '设备', width: 90, dataIndex: 'device' },
      {
        title: '结束原因',
        width: 120,
        render: (_: unknown, row: Session) => (row.endReason ? endWords[row.endReason] : '学习中'),
      },
    ]}
  />
)

/** 明细: how far a student is in each period, and in which sessions they studied. */
export const LearnerFile = ({ id }: { id: number }) => {
  const request = useRequest()
  const query = useQuery({
    queryKey: [viewStudyProgress.path, id],
    queryFn: ({ signal }) => request(viewStudyProgress, { query: { selectionId: id } }, { signal }),
  })
  return (
    <Loaded query={query}>
      {(detail) => (
        <>
          <Descriptions
            column={2}
            labelStyle={{ width: 120 }}
            data={[
              { key: 'progress', label: '学习进度', value: formatPercent(detail.progress) },
              { key: 'rejected', label: '未计入', value: span(detail.rejectedSeconds) },
              ...facts.map((field) => ({
                key: field,
                label: fieldOf(viewStudyProgress, field).label,
                value: show(viewStudyProgress, field, detail[field], undefined),
              })),
            ]}
          />
          <h3>课时</h3>
          <Periods periods={detail.periods} />
          <h3>学习会话</h3>
          <p className="form-hint">未计入是播放器申报而超出服务器计时、或跳到未学部分的秒数。</p>
          <Sessions sessions={detail.sessions} />
          {trail(detail)}
          <Watermark />
        </>
      )}
    </Loaded>
  )
}
