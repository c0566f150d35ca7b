import { screen } from '@/kit/screen'
import { paths } from '@/paths'
import { screenOfBoth } from '@/schools/screens'

export const routes = [
  ...screenOfBoth('changeBatches', () => import('./BatchesPage').then((page) => page.BatchesPage)),
  ...screen(paths.changeApplications, () => import('./ApplicationsPage').then((page) => page.ApplicationsPage)),
  ...screenOfBoth('professionalChanges', () => import('./ResultsPages').then((page) => page.ProfessionalPage)),
  ...screenOfBoth('hierarchicalChanges', () => import('./ResultsPages').then((page) => page.HierarchicalPage)),
  ...screenOfBoth('leavings', () => import('./ResultsPages').then((page) => page.LeavingsPage)),
  ...screenOfBoth('classChanges', () => import('./ResultsPages').then((page) => page.ClassChangePage)),
]
