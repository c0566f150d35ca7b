import { Descriptions, Drawer, Table } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { useAllowed } from '@/api/identity'
import type { DataOf } from '@/api/operation'
import { useRequest } from '@/api/schoolContext'
import { columnsOf } from '@/kit/columns'
import { DialogName } from '@/kit/DialogName'
import { formatTime, points } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import { labelOf } from '@/kit/labels'
import { ShortList } from '@/kit/ShortList'
import { Word } from '@/kit/Status'
import type { DrawerProps } from '@/kit/useDrawer'
import { historyOf } from '@/logs/RecordHistory'
import { explainAchievement, listOfflineScores, listScoreComponents, listScoreCorrections } from './api'
import { correctionTones, detailWords } from './scoreWords'

type Explanation = DataOf<typeof explainAchievement>
type Part = Explanation['parts'][number]
type Round = Explanation['rounds'][number]

const corrections = columnsOf(listScoreCorrections, [
  { field: 'status', title: '状态', width: 84, tones: correctionTones },
  { field: 'oldText', width: 90 },
  { field: 'newText', width: 100 },
  { field: 'reason', width: 160 },
  { field: 'createdAt', width: 170 },
])

const trail = historyOf(explainAchievement, 'course_score')

const small = { size: 'small', border: { wrapper: true }, pagination: false } as const

/** 计算说明 of a course score: parts, rounds, steps, corrections, history. */
export const ExplainedScore = ({ id }: { id: number }) => {
  const request = useRequest()
  const allowed = useAllowed()
  const query = useQuery({
    queryKey: [explainAchievement.path, id],
    queryFn: ({ signal }) => request(explainAchievement, { query: { courseScoreId: id } }, { signal }),
  })
  return (
    <Loaded query={query}>
      {({ score, parts, rounds, totalSummary, examSummary, frozen }) => (
        <>
          <Descriptions
            column={2}
            labelStyle={{ width: 96 }}
            data={[
              { key: 'course', label: '课程', value: score.courseName ?? '—' },
              { key: 'semester', label: '学期', value: score.semesterName ?? '—' },
              { key: 'text', label: '成绩显示', value: score.displayText ?? '—' },
              { key: 'total', label: '总评', value: points(score.total) },
              { key: 'gp', label: '绩点', value: score.gradePoint?.toFixed(2) ?? '—' },
              { key: 'credits', label: '获得学分', value: points(score.earnedCredits) },
              { key: 'rule', label: '总评规则', value: totalSummary },
              { key: 'exam', label: '考试规则', value: examSummary ?? '没有考试' },
              { key: 'frozen', label: '公式', value: frozen ? '已冻结' : '随规则变化' },
            ]}
          />
          <h3>{score.origin === 'examined' ? '平时成绩' : '成绩组成'}</h3>
          <Table
            {...small}
            rowKey="kind"
            data={parts}
            columns={[
              {
                title: '成绩项',
                render: (_: unknown, { kind }: Part) => labelOf(listScoreCorrections, 'componentKind', kind),
              },
              {
                title: '成绩',
                render: (_: unknown, { value, freshValue }: Part) =>
                  freshValue === null || freshValue === undefined ? (
                    points(value)
                  ) : (
                    <>
                      {points(value)} <Word tone="warning">来源已变化 {points(freshValue)}</Word>
                    </>
                  ),
              },
              {
                title: '来源',
                render: (_: unknown, { source }: Part) => labelOf(listScoreComponents, 'source', source),
              },
              { title: '输入明细', render: (_: unknown, { detail }: Part) => detailWords(detail) },
            ]}
          />
          <h3>各次考试</h3>
          <Table
            {...small}
            rowKey={({ round, roundNo }: Round) => `${round}-${roundNo}`}
            data={rounds}
            columns={[
              {
                title: '性质',
                render: (_: unknown, { round }: Round) => labelOf(listOfflineScores, 'round', round),
              },
              { title: '卷面分', render: (_: unknown, { raw }: Round) => points(raw) },
              { title: '折百分', render: (_: unknown, { value }: Round) => points(value) },
              { title: '成绩显示', dataIndex: 'text' },
              { title: '计算', render: (_: unknown, { steps }: Round) => steps.join('；') || '—' },
              {
                title: '录入',
                render: (_: unknown, { enteredByName, enteredAt }: Round) =>
                  `${enteredByName} ${formatTime(enteredAt)}`,
              },
            ]}
          />
          {allowed(listScoreCorrections) && (
            <>
              <h3>成绩更正</h3>
              <ShortList
                of={listScoreCorrections}
                filter={{ courseScoreId: id }}
                columns={corrections}
                page="成绩审核"
                empty="没有更正过"
              />
            </>
          )}
          {trail({ id })}
        </>
      )}
    </Loaded>
  )
}

/** The same in a drawer of its own. */
export const ExplainDrawer = ({ record, visible, onClose }: DrawerProps<{ id: number; name: string }>) => (
  <Drawer
    title={`计算说明 ${record?.name ?? ''}`}
    width={860}
    visible={visible}
    footer={null}
    onCancel={onClose}
    unmountOnExit
  >
    <DialogName name={`计算说明 ${record?.name ?? ''}`} focus />
    {record && <ExplainedScore id={record.id} />}
  </Drawer>
)
