import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { DataOf } from '@/api/operation'
import { useRequest } from '@/api/schoolContext'
import { Chart } from '@/kit/Chart'
import { formatNumber } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import { labelOf } from '@/kit/labels'
import { TabPanels } from '@/kit/TabList'
import { usePlaces } from '@/kit/usePlaces'
import { RecordHistory } from '@/logs/RecordHistory'
import { listQuestionBanks, listQuestions, viewQuestionBank } from './api'

type View = DataOf<typeof viewQuestionBank>

const types = listQuestions.fields.type?.options ?? []
const difficulties = listQuestions.fields.difficulty?.options ?? []

/** 题型 × 难度: each figure leads to its questions. */
const Spread = ({ view, at }: { view: View; at: (query: Record<string, string>) => string }) => {
  const countOf = (type: string, difficulty: string) =>
    view.spread.find((each) => each.type === type && each.difficulty === difficulty)?.count ?? 0
  const shown = types.filter(([type]) => view.spread.some((each) => each.type === type))
  return (
    <div className="figures-scroll">
      <table className="bank-spread" aria-label="题型和难度">
        <thead>
          <tr>
            <th scope="col">题型</th>
            {difficulties.map(([value, words]) => (
              <th key={value} scope="col">
                {words}
              </th>
            ))}
            <th scope="col">合计</th>
          </tr>
        </thead>
        <tbody>
          {shown.map(([type, words]) => (
            <tr key={type}>
              <th scope="row">{words}</th>
              {difficulties.map(([difficulty]) => (
                <td key={difficulty}>
                  {countOf(type, difficulty) > 0 ? (
                    <Link to={at({ type, difficulty })}>{formatNumber(countOf(type, difficulty))}</Link>
                  ) : (
                    0
                  )}
                </td>
              ))}
              <td>{formatNumber(difficulties.reduce((sum, [difficulty]) => sum + countOf(type, difficulty), 0))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const Figures = ({ view }: { view: View }) => {
  const places = usePlaces()
  const { id: bankId, courseId, questionCount } = view
  const at = (query: Record<string, string | number | undefined>) => places('questions', { courseId, bankId, ...query })
  if (questionCount === 0) return <p className="nothing">这个题库还没有试题。</p>
  return (
    <>
      <Chart
        data={{
          title: '各题型题量',
          kind: 'share',
          unit: '题',
          whole: questionCount,
          series: [
            {
              name: '题量',
              points: view.typeCounts.map(({ type, count }) => ({
                name: labelOf(listQuestions, 'type', type),
                value: count,
                link: at({ type }),
              })),
            },
          ],
        }}
      />
      <h3>题型和难度</h3>
      <Spread view={view} at={at} />
      <h3>各章节题量</h3>
      <Chart
        data={{
          title: '各章节题量',
          kind: 'bar',
          unit: '题',
          series: [
            {
              name: '题量',
              points: view.chapters.map(({ chapterId, chapterTitle, count }) => ({
                name: chapterTitle ?? '未设置章节',
                value: count,
                link: chapterId ? at({ chapterId }) : undefined,
              })),
            },
          ],
        }}
      />
    </>
  )
}

const Facts = ({ view }: { view: View }) => (
  <dl className="question-facts">
    <dt>课程</dt>
    <dd>
      {view.courseCode} {view.courseName}
    </dd>
    <dt>用途</dt>
    <dd>{labelOf(listQuestionBanks, 'usage', view.usage)}</dd>
    <dt>可见范围</dt>
    <dd>{labelOf(listQuestionBanks, 'visibility', view.visibility)}</dd>
    <dt>创建人</dt>
    <dd>{view.createdByName ?? '—'}</dd>
    <dt>成员</dt>
    <dd>{view.members.map(({ name }) => name).join('、') || '—'}</dd>
    <dt>题量</dt>
    <dd>
      {formatNumber(view.questionCount)}，待审核{formatNumber(view.pendingCount)}
    </dd>
  </dl>
)

/** The drawer of a bank: whose it is, how its questions are spread, who changed it. */
export const BankFile = ({ id }: { id: number }) => {
  const request = useRequest()
  const query = useQuery({
    queryKey: [viewQuestionBank.path, id],
    queryFn: ({ signal }) => request(viewQuestionBank, { query: { id } }, { signal }),
  })
  return (
    <Loaded query={query}>
      {(view) => (
        <TabPanels
          label="题库资料"
          panels={[
            { title: '概况', content: <Facts view={view} /> },
            { title: '题量分布', content: <Figures view={view} />, late: true },
            { title: '操作日志', content: <RecordHistory of="question_bank" id={id} />, late: true },
          ]}
        />
      )}
    </Loaded>
  )
}
