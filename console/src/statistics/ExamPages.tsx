import { useNavigate } from 'react-router'
import type { StatRow } from '@/api/types/statistics'
import type { RowAction } from '@/kit/actions'
import { EnumFilter, OptionFilter } from '@/kit/filters'
import { useAddress } from '@/kit/useAddress'
import { usePlaces } from '@/kit/usePlaces'
import { listAchievements } from '@/scores/api'
import {
  chartExamStatistics,
  exportExamStatistics,
  listExamStatistics,
  listSiteExamStatistics,
  summarizeExamStatistics,
} from './api'
import { testBatches } from './choices'
import { StatScreen, type StatScreenProps } from './StatScreen'
import type { Level } from './statRules'
import { urging } from './urging'

const common = {
  screen: 'examination_statistics',
  summary: summarizeExamStatistics,
  chart: chartExamStatistics,
  exports: exportExamStatistics,
} as const

const filters: StatScreenProps['filters'] = () => [
  <OptionFilter key="batch" of={listExamStatistics} field="batchId" {...testBatches} />,
  <EnumFilter key="mode" of={listExamStatistics} field="mode" />,
  <EnumFilter key="round" of={listExamStatistics} field="round" />,
]

/** The scores of a course; of a student a reminder. */
const useActions = () => {
  const navigate = useNavigate()
  const places = usePlaces()
  const [search] = useAddress()
  const semesterId = search.get('semesterId') ?? undefined
  return (row: StatRow, level: Level): readonly RowAction[] => {
    if (level === 'student') return urging(row)
    if (level !== 'course') return []
    const filter = { courseId: row.id, semesterId }
    return [{ label: '查看成绩', do: listAchievements, onClick: () => navigate(places('achievements', filter)) }]
  }
}

export const ExamStatisticsPage = () => (
  <StatScreen
    {...common}
    title="考试统计"
    help="各场考试、课程、班级和教师的参考与成绩；点击数字查看下一级。"
    list={listExamStatistics}
    levels={['exam', 'course', 'class', 'teacher', 'student']}
    next={{ exam: 'class', course: 'class', class: 'student' }}
    filters={filters}
    actions={useActions()}
  />
)

export const ExamSitesPage = () => (
  <StatScreen
    {...common}
    title="站点考试统计"
    help="各站点的参考与成绩；点击数字查看班级和考生。"
    list={listSiteExamStatistics}
    levels={['site', 'class', 'student']}
    next={{ site: 'class', class: 'student' }}
    filters={filters}
    actions={useActions()}
  />
)
