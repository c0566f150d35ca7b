import { screenOfBoth } from '@/schools/screens'

export const routes = screenOfBoth('courseSelections', () =>
  import('./SelectionsPage').then((page) => page.SelectionsPage),
)
