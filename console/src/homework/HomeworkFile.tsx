import { Descriptions, Empty, Table } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { useRequest } from '@/api/schoolContext'
import { show } from '@/kit/columns'
import { formatNumber, formatTime } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import { fieldOf } from '@/kit/labels'
import { historyOf } from '@/logs/RecordHistory'
import { ContentView } from '@/question_bank/ContentView'
import { uploadWords } from '@/question_bank/questionRules'
import { listHomework, saveHomework, viewHomework } from './api'
import { type HomeworkView, phaseTones, score, statusTones } from './homeworkRules'

const trail = historyOf(viewHomework, 'homework')

const facts = [
  'courseCode',
  'courseName',
  'semesterName',
  'purpose',
  'chapterTitle',
  'kind',
  'paperMode',
  'totalScore',
  'passScore',
  'startsAt',
  'endsAt',
  'lateUntil',
  'markDueAt',
  'weight',
  'studentCount',
  'publishedAt',
  'createdByName',
] as const

const rules = [
  'latePenalty',
  'durationMinutes',
  'maxAttempts',
  'attemptScoring',
  'minIntervalMinutes',
  'shuffleQuestions',
  'shuffleOptions',
  'showAnswer',
  'requiredProgress',
  'similarityThreshold',
] as const

const small = {
  size: 'small',
  border: { wrapper: true },
  pagination: { pageSize: 10, hideOnSinglePage: true },
} as const

type Target = HomeworkView['targets'][number]
type Marker = HomeworkView['markers'][number] & { questionSeqs: readonly string[]; quota?: number | null }

/** Who marks what: their names stand beside the form. */
const markersOf = ({ markers, form }: HomeworkView): Marker[] =>
  markers.map((marker) => {
    const wish = form.markers?.find(
      ({ teacherId, classId }) => teacherId === marker.teacherId && (classId ?? null) === (marker.classId ?? null),
    )
    return { ...marker, questionSeqs: wish?.questionSeqs ?? [], quota: wish?.quota }
  })

const Content = ({ view }: { view: HomeworkView }) => (
  <>
    {view.papers.length > 0 && (
      <ul aria-label="试卷">
        {view.papers.map(({ id, code, name }) => (
          <li key={id}>
            {name}（{code}）
          </li>
        ))}
      </ul>
    )}
    {view.ruleName && <p>按组卷策略“{view.ruleName}”为每名学生抽题。</p>}
    {view.form.instruction && <ContentView html={view.form.instruction} />}
    {view.form.upload && <p className="form-hint">上传附件：{uploadWords(view.form.upload)}</p>}
  </>
)

/** 查看: what was set for whom by which rules, who marks it, and who changed it. */
export const HomeworkFile = ({ id }: { id: number }) => {
  const request = useRequest()
  const query = useQuery({
    queryKey: [viewHomework.path, id],
    queryFn: ({ signal }) => request(viewHomework, { query: { id } }, { signal }),
  })
  return (
    <Loaded query={query}>
      {(view) => (
        <>
          <Descriptions
            column={2}
            labelStyle={{ width: 120 }}
            data={[
              { key: 'status', label: '状态', value: show(listHomework, 'status', view.status, statusTones) },
              { key: 'phase', label: '阶段', value: show(listHomework, 'phase', view.phase, phaseTones) },
              ...facts.map((field) => ({
                key: field,
                label: fieldOf(listHomework, field).label,
                value: show(listHomework, field, view[field], undefined),
              })),
              ...rules.map((field) => ({
                key: field,
                label: fieldOf(saveHomework, field).label,
                value: show(saveHomework, field, view.form[field], undefined),
              })),
              { key: 'averageScore', label: '平均分', value: score(view.averageScore) },
            ]}
          />
          <h3>内容</h3>
          <Content view={view} />
          <h3>对象</h3>
          <Table
            {...small}
            rowKey={({ openingId, classId }: Target) => `${openingId}-${classId ?? 0}`}
            data={view.targets}
            columns={[
              { title: '开课', dataIndex: 'openingName' },
              { title: '班级', render: (_: unknown, row: Target) => row.className ?? '全部班级' },
              {
                title: '人数',
                width: 90,
                align: 'right',
                render: (_: unknown, row: Target) => formatNumber(row.studentCount),
              },
            ]}
          />
          <h3>批阅教师</h3>
          <Table
            {...small}
            rowKey={({ teacherId, classId }: Marker) => `${teacherId}-${classId ?? 0}`}
            data={markersOf(view)}
            noDataElement={<Empty description="按任课安排的批阅教师分配" />}
            columns={[
              { title: '教师', dataIndex: 'teacherName', width: 120 },
              { title: '班级', render: (_: unknown, row: Marker) => row.className ?? '全部班级' },
              { title: '题号', render: (_: unknown, row: Marker) => row.questionSeqs.join('、') || '全部题目' },
              { title: '最多份数', width: 90, render: (_: unknown, row: Marker) => row.quota ?? '不限' },
            ]}
          />
          <p className="form-hint">创建于 {formatTime(view.createdAt)}</p>
          {trail(view)}
        </>
      )}
    </Loaded>
  )
}
