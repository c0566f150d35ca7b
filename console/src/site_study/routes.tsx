import { screen } from '@/kit/screen'
import { paths } from '@/paths'

export const routes = [
  ...screen(paths.siteProgress, () => import('./ProgressPage').then((page) => page.ProgressPage)),
  ...screen(paths.siteFigures, () => import('./FiguresPage').then((page) => page.FiguresPage)),
  ...screen(paths.courseComments, () => import('./CommentsPage').then((page) => page.CommentsPage)),
  ...screen(paths.courseRatings, () => import('./RatingsPage').then((page) => page.RatingsPage)),
]
