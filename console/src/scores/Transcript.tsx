import { Button, Descriptions, Table } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { useAllowed } from '@/api/identity'
import { useRequest } from '@/api/schoolContext'
import { listSelections } from '@/course_selection/api'
import { formatNumber, points } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import { labelOf } from '@/kit/labels'
import { useDrawer } from '@/kit/useDrawer'
import { explainAchievement, viewAchievement } from './api'
import { ExplainDrawer } from './Explain'
import { type Achievement, scoreName } from './scoreWords'

/** 成绩单 of a student: what it comes to, and each semester; a score leads to why it is so. */
export const Transcript = ({ id }: { id: number }) => {
  const request = useRequest()
  const allowed = useAllowed()
  const explained = useDrawer<{ id: number; name: string }>()
  const query = useQuery({
    queryKey: [viewAchievement.path, id],
    queryFn: ({ signal }) => request(viewAchievement, { query: { studentId: id } }, { signal }),
  })
  return (
    <Loaded query={query}>
      {({ standing, scores }) => (
        <>
          {standing && (
            <Descriptions
              column={3}
              labelStyle={{ width: 110 }}
              data={[
                {
                  key: 'credits',
                  label: '已获/应修学分',
                  value: `${points(standing.creditsEarned)} / ${points(standing.creditsRequired)}`,
                },
                { key: 'average', label: '加权平均', value: points(standing.average) },
                { key: 'gpa', label: 'GPA', value: standing.gpa?.toFixed(2) ?? '—' },
                { key: 'passed', label: '及格门数', value: formatNumber(standing.passedCount) || '—' },
                { key: 'failed', label: '不及格门数', value: formatNumber(standing.failedCount) || '—' },
                { key: 'rank', label: '班级排名', value: formatNumber(standing.classRank) || '—' },
              ]}
            />
          )}
          {[...new Set(scores.map(({ semesterName }) => semesterName ?? '其他'))].map((semester) => (
            <section key={semester} aria-label={semester}>
              <h3>{semester}</h3>
              <Table
                size="small"
                rowKey="id"
                border={{ wrapper: true }}
                pagination={false}
                data={scores.filter(({ semesterName }) => (semesterName ?? '其他') === semester)}
                columns={[
                  { title: '课程', dataIndex: 'courseName' },
                  {
                    title: '性质',
                    width: 80,
                    render: (_: unknown, { nature }: Achievement) => labelOf(listSelections, 'nature', nature),
                  },
                  { title: '学分', width: 60, render: (_: unknown, { credits }: Achievement) => points(credits) },
                  {
                    title: '成绩',
                    width: 100,
                    render: (_: unknown, { displayText }: Achievement) => displayText || '—',
                  },
                  {
                    title: '绩点',
                    width: 70,
                    render: (_: unknown, { gradePoint }: Achievement) => gradePoint?.toFixed(2) ?? '—',
                  },
                  ...(allowed(explainAchievement)
                    ? [
                        {
                          title: '',
                          width: 90,
                          render: (_: unknown, score: Achievement) => (
                            <Button
                              type="text"
                              size="mini"
                              onClick={() => explained.open({ id: score.id, name: scoreName(score) })}
                            >
                              计算说明
                            </Button>
                          ),
                        },
                      ]
                    : []),
                ]}
              />
            </section>
          ))}
          {scores.length === 0 && <p className="nothing">还没有已发布的成绩</p>}
          <ExplainDrawer key={explained.key} {...explained.props} />
        </>
      )}
    </Loaded>
  )
}
