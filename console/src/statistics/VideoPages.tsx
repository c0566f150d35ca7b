import { useNavigate } from 'react-router'
import type { StatRow } from '@/api/types/statistics'
import type { RowAction } from '@/kit/actions'
import { EnumFilter, YesNoFilter } from '@/kit/filters'
import { usePlaces } from '@/kit/usePlaces'
import {
  chartVideoStatistics,
  exportVideoStatistics,
  listLearningRecords,
  listSiteVideoStatistics,
  listVideoStatistics,
  summarizeVideoStatistics,
} from './api'
import { StatScreen, type StatScreenProps } from './StatScreen'
import type { Level } from './statRules'
import { urging } from './urging'

const common = {
  screen: 'statistics_video',
  summary: summarizeVideoStatistics,
  chart: chartVideoStatistics,
  exports: exportVideoStatistics,
} as const

const filters: StatScreenProps['filters'] = (level) =>
  level === 'student'
    ? [
        <EnumFilter key="standing" of={listVideoStatistics} field="standing" />,
        <YesNoFilter key="reached" of={listVideoStatistics} field="reached" />,
      ]
    : []

/** Of a student the sessions, and a reminder. */
const useActions = () => {
  const navigate = useNavigate()
  const places = usePlaces()
  return (row: StatRow, level: Level): readonly RowAction[] =>
    level === 'student'
      ? [
          {
            label: '学习记录',
            do: listLearningRecords,
            onClick: () => navigate(places('learningRecords', { selectionId: row.id })),
          },
          ...urging(row),
        ]
      : []
}

export const VideoStatisticsPage = () => (
  <StatScreen
    {...common}
    title="视频学习统计"
    help="各课程、班级和学生的学习进度；点击数字查看下一级。"
    list={listVideoStatistics}
    levels={['course', 'class', 'student']}
    next={{ course: 'class', class: 'student' }}
    filters={filters}
    actions={useActions()}
  />
)

export const VideoSitesPage = () => (
  <StatScreen
    {...common}
    title="站点视频统计"
    help="各站点的学习进度；点击数字查看班级和学生。"
    list={listSiteVideoStatistics}
    levels={['site', 'class', 'student']}
    next={{ site: 'class', class: 'student' }}
    filters={filters}
    actions={useActions()}
  />
)
