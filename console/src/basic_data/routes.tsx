import { screen } from '@/kit/screen'
import { paths } from '@/paths'
import { screenOfBoth } from '@/schools/screens'

export const routes = [
  ...screenOfBoth('grades', () => import('./GradesPage').then((page) => page.GradesPage)),
  ...screenOfBoth('levels', () => import('./LevelsPage').then((page) => page.LevelsPage)),
  ...screenOfBoth('semesters', () => import('./SemestersPage').then((page) => page.SemestersPage)),
  ...screenOfBoth('organizations', () => import('./OrganizationsPage').then((page) => page.OrganizationsPage)),
  ...screenOfBoth('sites', () => import('./SitesPage').then((page) => page.SitesPage)),
  ...screen([paths.nationalMajors, paths.platformNationalMajors], () =>
    import('./NationalMajorsPage').then((page) => page.NationalMajorsPage),
  ),
  ...screenOfBoth('schoolMajors', () => import('./MajorsPage').then((page) => page.MajorsPage)),
  ...screenOfBoth('forecastMajors', () => import('./ForecastMajorsPage').then((page) => page.ForecastMajorsPage)),
  ...screenOfBoth('classes', () => import('./ClassesPage').then((page) => page.ClassesPage)),
]
