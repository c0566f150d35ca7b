import { screen } from '@/kit/screen'
import { paths } from '@/paths'
import { screenOfBoth } from '@/schools/screens'

export const routes = [
  ...screen(paths.curriculumTypes, () => import('./CurriculumTypesPage').then((page) => page.CurriculumTypesPage)),
  ...screenOfBoth('courses', () => import('./CoursesPage').then((page) => page.CoursesPage)),
  ...screenOfBoth('courseRecords', () => import('./RecordsPage').then((page) => page.RecordsPage)),
  ...screenOfBoth('courseRecordAdd', () => import('./RecordFormPage').then((page) => page.NewRecordPage)),
  ...screenOfBoth('courseRecordEdit', () => import('./RecordFormPage').then((page) => page.EditRecordPage)),
  ...screenOfBoth('courseChapters', () => import('./ChaptersPage').then((page) => page.ChaptersPage)),
]
