import { screen } from '@/kit/screen'
import { paths } from '@/paths'

export const routes = [
  ...screen(paths.recordCategories, () => import('./CategoriesPage').then((page) => page.RecordCategoriesPage)),
  ...screen(paths.liveCategories, () => import('./CategoriesPage').then((page) => page.LiveCategoriesPage)),
  ...screen(paths.resourceCategories, () => import('./CategoriesPage').then((page) => page.ResourceCategoriesPage)),
  ...screen(paths.recordCourses, () => import('./RecordCoursesPage').then((page) => page.RecordCoursesPage)),
  ...screen(paths.liveCourses, () => import('./LiveCoursesPage').then((page) => page.LiveCoursesPage)),
  ...screen(paths.resourceCourses, () => import('./ResourceCoursesPage').then((page) => page.ResourceCoursesPage)),
  ...screen(paths.recordAudits, () => import('./AuditsPage').then((page) => page.RecordAuditsPage)),
  ...screen(paths.liveAudits, () => import('./AuditsPage').then((page) => page.LiveAuditsPage)),
  ...screen(paths.resourceAudits, () => import('./AuditsPage').then((page) => page.ResourceAuditsPage)),
  ...screen(paths.recommends, () => import('./RecommendsPage').then((page) => page.RecommendsPage)),
]
