import { Empty } from '@arco-design/web-react'
import type { ReactNode } from 'react'
import { classes, semesters, sites } from '@/basic_data/choices'
import { SemesterFilter } from '@/course_opening/SemesterFilter'
import { Chart } from '@/kit/Chart'
import type { ChartData } from '@/kit/chartOption'
import { FilterBar } from '@/kit/FilterBar'
import { OptionFilter } from '@/kit/filters'
import { formatNumber, formatPercent } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import type { Choice } from '@/kit/OptionSelect'
import { listSuperviseCases } from './api'
import { daysChart, kindsChart, reasonsChart, type Stat, type StatRow } from './superviseRules'
import { useStat } from './useStat'
import '@/kit/figures.css'

const Figure = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="overview-figure" aria-label={title}>
    <h2>{title}</h2>
    {children}
  </section>
)

const Drawn = ({ rows, of }: { rows: readonly StatRow[]; of: (rows: readonly StatRow[]) => ChartData }) =>
  rows.length > 0 ? <Chart data={of(rows)} /> : <Empty description="没有数据" />

/** Shown, not promised: whether those who were reminded do more than those who were not (05 C4). */
const Effect = ({ effect }: { effect: NonNullable<Stat['effect']> }) => (
  <table className="supervise-effect">
    <thead>
      <tr>
        <th scope="col">学生</th>
        <th scope="col">人数</th>
        <th scope="col">7天内有登录或学习</th>
        <th scope="col">比例</th>
      </tr>
    </thead>
    <tbody>
      <tr>
        <th scope="row">提醒过的</th>
        <td>{formatNumber(effect.reminded)}</td>
        <td>{formatNumber(effect.remindedActive)}</td>
        <td>{formatPercent(effect.remindedRate)}</td>
      </tr>
      <tr>
        <th scope="row">未提醒的</th>
        <td>{formatNumber(effect.others)}</td>
        <td>{formatNumber(effect.othersActive)}</td>
        <td>{formatPercent(effect.othersRate)}</td>
      </tr>
    </tbody>
  </table>
)

/** 趋势: how the number of cases goes, of which kinds they are, why, and whether reminders help. */
export const Trends = ({ semester }: { semester: Choice | undefined }) => {
  const days = useStat('day', semester)
  const kinds = useStat('kind', semester)
  const reasons = useStat('reason', semester)
  return (
    <>
      <FilterBar table={days.table}>
        <SemesterFilter of={listSuperviseCases} field="semesterId" {...semesters} usual={semester} />
        <OptionFilter of={listSuperviseCases} field="siteId" {...sites} />
        <OptionFilter of={listSuperviseCases} field="classId" {...classes} />
      </FilterBar>
      <div className="overview-charts">
        <Figure title="每日预警学生">
          <Loaded query={days.query} rows={5}>
            {({ rows }) => <Drawn rows={rows} of={daysChart} />}
          </Loaded>
        </Figure>
        <Figure title="预警类型">
          <Loaded query={kinds.query} rows={5}>
            {({ rows }) => <Drawn rows={rows} of={kindsChart} />}
          </Loaded>
        </Figure>
        <Figure title="落后原因">
          <Loaded query={reasons.query} rows={5}>
            {({ rows }) => <Drawn rows={rows} of={reasonsChart} />}
          </Loaded>
        </Figure>
        <Figure title="提醒效果">
          <Loaded query={days.query} rows={3}>
            {({ effect }) => (effect ? <Effect effect={effect} /> : <Empty description="没有数据" />)}
          </Loaded>
          <p className="form-hint">提醒过的从第一次提醒起算，未提醒的从首次预警起算，只计已满7天的；仅供参考。</p>
        </Figure>
      </div>
    </>
  )
}
