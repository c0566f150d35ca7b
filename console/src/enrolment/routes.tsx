import { screen } from '@/kit/screen'
import { paths } from '@/paths'

export const routes = [
  ...screen(paths.enrollmentBatches, () => import('./BatchesPage').then((page) => page.BatchesPage)),
]
