import { screen } from '@/kit/screen'
import { paths } from '@/paths'

export const routes = [
  ...screen(paths.grades, () => import('./GradesPage').then((page) => page.GradesPage)),
  ...screen(paths.levels, () => import('./LevelsPage').then((page) => page.LevelsPage)),
  ...screen(paths.semesters, () => import('./SemestersPage').then((page) => page.SemestersPage)),
  ...screen(paths.organizations, () => import('./OrganizationsPage').then((page) => page.OrganizationsPage)),
  ...screen(paths.sites, () => import('./SitesPage').then((page) => page.SitesPage)),
  ...screen(paths.nationalMajors, () => import('./NationalMajorsPage').then((page) => page.NationalMajorsPage)),
  ...screen(paths.schoolMajors, () => import('./MajorsPage').then((page) => page.MajorsPage)),
  ...screen(paths.classes, () => import('./ClassesPage').then((page) => page.ClassesPage)),
]
