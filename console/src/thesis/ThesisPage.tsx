import { Table } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { DataOf } from '@/api/operation'
import { useRequest } from '@/api/schoolContext'
import { majors, sites } from '@/basic_data/choices'
import { Chart } from '@/kit/Chart'
import { formatNumber } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import { labelOf } from '@/kit/labels'
import { OptionSelect } from '@/kit/OptionSelect'
import { Page } from '@/kit/Page'
import { TabList } from '@/kit/TabList'
import { usePageTab } from '@/kit/usePageTab'
import { AdvisersTab } from './AdvisersTab'
import { listTheses, statTheses } from './api'
import { DefenseTab } from './DefenseTab'
import { PlanSelect, usePlans } from './PlanSelect'
import { PlansTab } from './PlansTab'
import { ThesesTab } from './ThesesTab'
import { TopicsTab } from './TopicsTab'
import '@/kit/figures.css'
import './thesis.css'

type Major = DataOf<typeof statTheses>['total']

/** 统计: how far the theses of a plan are, and how much of them is copied. */
const Statistics = () => {
  const request = useRequest()
  const [newest] = usePlans()
  const [chosen, setPlan] = useState<number>()
  const [majorId, setMajor] = useState<number>()
  const [siteId, setSite] = useState<number>()
  const planId = chosen ?? newest?.id
  const body = { planId: planId ?? 0, majorId, siteId }
  const query = useQuery({
    queryKey: [statTheses.path, body],
    queryFn: ({ signal }) => request(statTheses, { body }, { signal }),
    enabled: planId !== undefined,
  })
  if (planId === undefined) return <p className="nothing">还没有论文批次</p>
  return (
    <section aria-label="论文统计">
      <div className="thesis-bar">
        <PlanSelect value={planId} onChange={setPlan} />
        <OptionSelect label="专业" placeholder="全部专业" value={majorId} onChange={setMajor} {...majors} />
        <OptionSelect label="站点" placeholder="全部站点" value={siteId} onChange={setSite} {...sites} />
      </div>
      <Loaded query={query}>
        {({ total, majors: rows, similarity }) => (
          <>
            <h3>各阶段人数</h3>
            <Chart
              data={{
                title: '各阶段人数',
                kind: 'bar',
                unit: '人',
                series: [
                  {
                    name: '人数',
                    points: total.stages.map(({ stage, count }) => ({
                      name: labelOf(listTheses, 'stage', stage),
                      value: count,
                    })),
                  },
                ],
              }}
            />
            <h3>复制比分布</h3>
            <Chart
              data={{
                title: '复制比分布',
                kind: 'bar',
                unit: '人',
                series: [{ name: '人数', points: similarity.map(({ name, count }) => ({ name, value: count })) }],
              }}
            />
            <Table
              size="small"
              rowKey="major"
              border={{ wrapper: true }}
              pagination={false}
              data={[{ ...total, major: '合计' }, ...rows]}
              columns={[
                { title: '专业', dataIndex: 'major' },
                { title: '人数', width: 80, render: (_: unknown, row: Major) => formatNumber(row.total) },
                { title: '不通过', width: 80, render: (_: unknown, row: Major) => formatNumber(row.failed) },
                ...total.stages.map(({ stage }) => ({
                  title: labelOf(listTheses, 'stage', stage),
                  width: 80,
                  render: (_: unknown, row: Major) =>
                    formatNumber(row.stages.find((each) => each.stage === stage)?.count ?? 0),
                })),
              ]}
            />
          </>
        )}
      </Loaded>
    </section>
  )
}

const tabs = [
  ['theses', '学生论文'],
  ['plans', '论文批次'],
  ['topics', '选题库'],
  ['advisers', '指导教师'],
  ['review', '评阅'],
  ['defense', '答辩安排'],
  ['stat', '统计'],
] as const

/** 论文管理: from the topic to the defence (04 §8.1). */
export const ThesisPage = () => {
  const [asked, setTab] = usePageTab()
  const tab = tabs.find(([value]) => value === asked)?.[0] ?? 'theses'
  return (
    <Page title="论文管理" help="选题、开题、文稿、查重、评阅和答辩；每一版文稿都保留。" personal>
      <div className="list-tabs">
        <TabList
          label="论文管理"
          tabs={tabs}
          value={tab}
          onChange={(next) => setTab(next === 'theses' ? undefined : next)}
        />
      </div>
      {tab === 'theses' && <ThesesTab key="theses" />}
      {tab === 'plans' && <PlansTab />}
      {tab === 'topics' && <TopicsTab />}
      {tab === 'advisers' && <AdvisersTab />}
      {tab === 'review' && <ThesesTab key="review" review />}
      {tab === 'defense' && <DefenseTab />}
      {tab === 'stat' && <Statistics />}
    </Page>
  )
}
