import { screen } from '@/kit/screen'
import { paths } from '@/paths'

export const routes = [
  ...screen(paths.examDay, () => import('./ExamDayPage').then((page) => page.ExamDayPage)),
  ...screen(paths.invigilators, () => import('./InvigilatorsPage').then((page) => page.InvigilatorsPage)),
]
