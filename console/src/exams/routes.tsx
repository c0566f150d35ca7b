import { screen } from '@/kit/screen'
import { paths } from '@/paths'
import { screenOfBoth } from '@/schools/screens'

export const routes = [
  ...screenOfBoth('testBatches', () => import('./BatchesPage').then((page) => page.BatchesPage)),
  ...screen(paths.examMarkers, () => import('./MarkersPage').then((page) => page.MarkersPage)),
]
