import { screen } from '@/kit/screen'
import { paths } from '@/paths'
import { screenOfBoth } from '@/schools/screens'

export const routes = [
  ...screen(paths.enrollmentBatches, () => import('./BatchesPage').then((page) => page.BatchesPage)),
  ...screenOfBoth('siteEnrollments', () => import('./PlansPage').then((page) => page.PlansPage)),
]
