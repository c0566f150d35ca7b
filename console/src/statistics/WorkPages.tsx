import { useNavigate } from 'react-router'
import type { StatRow } from '@/api/types/statistics'
import { teachers } from '@/basic_data/choices'
import { listHomework } from '@/homework/api'
import type { RowAction } from '@/kit/actions'
import { DateRangeFilter, OptionFilter } from '@/kit/filters'
import { useAddress } from '@/kit/useAddress'
import { usePlaces } from '@/kit/usePlaces'
import {
  chartWorkStatistics,
  exportWorkStatistics,
  listSiteWorkStatistics,
  listWorkStatistics,
  summarizeWorkStatistics,
} from './api'
import { homeworks } from './choices'
import { StatScreen, type StatScreenProps } from './StatScreen'
import type { Level } from './statRules'
import { urging } from './urging'

const common = {
  screen: 'work_statistics',
  summary: summarizeWorkStatistics,
  chart: chartWorkStatistics,
  exports: exportWorkStatistics,
} as const

const filters: StatScreenProps['filters'] = () => [
  <OptionFilter key="homework" of={listWorkStatistics} field="homeworkId" {...homeworks} />,
  <OptionFilter key="teacher" of={listWorkStatistics} field="teacherId" {...teachers} />,
  <DateRangeFilter key="ends" of={listWorkStatistics} from="endsFrom" to="endsTo" label="截止日期" />,
]

/** The homework itself, of a course or one of it; of a student a reminder. */
const useActions = () => {
  const navigate = useNavigate()
  const places = usePlaces()
  const [search] = useAddress()
  const semesterId = search.get('semesterId') ?? undefined
  return (row: StatRow, level: Level): readonly RowAction[] => {
    if (level === 'student') return urging(row)
    const filter =
      level === 'course' ? { courseId: row.id } : level === 'task' ? { ids: row.id, open: row.id } : undefined
    if (!filter) return []
    const to = () => navigate(places('homework', { ...filter, semesterId }))
    return [{ label: '查看作业', do: listHomework, onClick: to }]
  }
}

export const WorkStatisticsPage = () => (
  <StatScreen
    {...common}
    title="作业统计"
    help="各课程、作业、班级和学生的提交与批阅；点击数字查看下一级。"
    list={listWorkStatistics}
    levels={['course', 'task', 'class', 'student']}
    next={{ course: 'task', task: 'class', class: 'student' }}
    filters={filters}
    actions={useActions()}
  />
)

export const WorkSitesPage = () => (
  <StatScreen
    {...common}
    title="站点作业统计"
    help="各站点的作业提交与批阅；点击数字查看班级和学生。"
    list={listSiteWorkStatistics}
    levels={['site', 'class', 'student']}
    next={{ site: 'class', class: 'student' }}
    filters={filters}
    actions={useActions()}
  />
)
