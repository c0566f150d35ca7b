import { screen } from '@/kit/screen'
import { paths } from '@/paths'
import { screenOfBoth } from '@/schools/screens'

export const routes = [
  ...screenOfBoth('onlineExams', () => import('./OnlineExamsPage').then((page) => page.OnlineExamsPage)),
  ...screenOfBoth('examAttempts', () => import('./AttemptsPage').then((page) => page.AttemptsPage)),
  ...screenOfBoth('onlineExam', () => import('./OnlineExamPage').then((page) => page.OnlineExamPage)),
  ...screen(paths.onlineExamAdd, () => import('./NewOnlineExamPage').then((page) => page.NewOnlineExamPage)),
  ...screen(paths.onlineExamBatch, () =>
    import('./OnlineExamsOfBatchPage').then((page) => page.OnlineExamsOfBatchPage),
  ),
  ...screenOfBoth('examMarking', () => import('./ExamMarkingPage').then((page) => page.ExamMarkingPage)),
  ...screen(paths.markPapers, () => import('./MarkPapersPage').then((page) => page.MarkPapersPage)),
]
