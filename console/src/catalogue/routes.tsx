import { screen } from '@/kit/screen'
import { paths } from '@/paths'

export const routes = [
  ...screen(paths.recordCategories, () => import('./RecordCategoriesPage').then((page) => page.RecordCategoriesPage)),
  ...screen(paths.recordCourses, () => import('./RecordCoursesPage').then((page) => page.RecordCoursesPage)),
  ...screen(paths.recordAudits, () => import('./RecordAuditsPage').then((page) => page.RecordAuditsPage)),
  ...screen(paths.lecturers, () => import('./LecturersPage').then((page) => page.LecturersPage)),
]
