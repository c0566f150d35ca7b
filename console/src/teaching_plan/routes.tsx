import { screen } from '@/kit/screen'
import { paths } from '@/paths'
import { screenOfBoth } from '@/schools/screens'

export const routes = [
  ...screenOfBoth('teachingPlans', () => import('./PlansPage').then((page) => page.PlansPage)),
  ...screen(paths.plansOfSemester, () => import('./SemesterPage').then((page) => page.SemesterPage)),
  ...screen(paths.planOfMajor, () => import('./MajorPage').then((page) => page.MajorPage)),
]
