import { screenOfBoth } from '@/schools/screens'

export const routes = [
  ...screenOfBoth('statistics', () => import('./ReportsPage').then((page) => page.ReportsPage)),
  ...screenOfBoth('videoStatistics', () => import('./VideoPages').then((page) => page.VideoStatisticsPage)),
  ...screenOfBoth('videoSites', () => import('./VideoPages').then((page) => page.VideoSitesPage)),
  ...screenOfBoth('workStatistics', () => import('./WorkPages').then((page) => page.WorkStatisticsPage)),
  ...screenOfBoth('workSites', () => import('./WorkPages').then((page) => page.WorkSitesPage)),
  ...screenOfBoth('examStatistics', () => import('./ExamPages').then((page) => page.ExamStatisticsPage)),
  ...screenOfBoth('examSites', () => import('./ExamPages').then((page) => page.ExamSitesPage)),
  ...screenOfBoth('learningRecords', () => import('./LearningPage').then((page) => page.LearningPage)),
  ...screenOfBoth('loginStatistics', () => import('./LoginsPage').then((page) => page.LoginsPage)),
  ...screenOfBoth('sources', () => import('./SourcesPage').then((page) => page.SourcesPage)),
]
