import { screen } from '@/kit/screen'
import { paths } from '@/paths'

export const routes = [
  ...screen([paths.studentSupport, paths.platformStudentSupport], () =>
    import('./DeskPages').then((page) => page.StudentDeskPage),
  ),
  ...screen([paths.teacherSupport, paths.platformTeacherSupport], () =>
    import('./DeskPages').then((page) => page.TeacherDeskPage),
  ),
  ...screen([paths.siteSupport, paths.platformSiteSupport], () =>
    import('./DeskPages').then((page) => page.SiteDeskPage),
  ),
  ...screen([paths.schoolSupport, paths.platformSchoolSupport], () =>
    import('./DeskPages').then((page) => page.SchoolDeskPage),
  ),
  // It stands in a window of its own, without the shell around it.
  ...screen(paths.support, () => import('./HelpCentrePage').then((page) => page.HelpCentrePage)),
]
