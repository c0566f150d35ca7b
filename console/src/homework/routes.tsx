import { screen } from '@/kit/screen'
import { paths } from '@/paths'
import { screenOfBoth } from '@/schools/screens'

export const routes = [
  ...screenOfBoth('homework', () => import('./HomeworkPage').then((page) => page.HomeworkPage)),
  ...screenOfBoth('homeworkForm', () => import('./AssignmentPage').then((page) => page.AssignmentPage)),
  ...screen(paths.homeworkBatch, () => import('./BatchPage').then((page) => page.BatchPage)),
  ...screenOfBoth('studentHomework', () => import('./StudentWorkPage').then((page) => page.StudentWorkPage)),
  ...screenOfBoth('marking', () => import('./MarkingPage').then((page) => page.MarkingPage)),
  ...screen(paths.workPaper, () => import('./WorkPaperPage').then((page) => page.WorkPaperPage)),
]
