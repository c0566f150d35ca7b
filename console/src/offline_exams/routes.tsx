import { screen } from '@/kit/screen'
import { paths } from '@/paths'
import { screenOfBoth } from '@/schools/screens'

export const routes = [
  ...screenOfBoth('offlineExams', () => import('./OfflineExamsPage').then((page) => page.OfflineExamsPage)),
  ...screen(paths.offlineExam, () => import('./OfflineExamPage').then((page) => page.OfflineExamPage)),
  ...screen(paths.offlineExamAudit, () => import('./ExamAuditPage').then((page) => page.ExamAuditPage)),
  ...screen(paths.makeups, () => import('./MakeupsPage').then((page) => page.MakeupsPage)),
  ...screen(paths.offlineExamsByCourse, () => import('./ExamsByCoursePage').then((page) => page.ExamsByCoursePage)),
]
