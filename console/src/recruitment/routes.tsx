import { screenOfBoth } from '@/schools/screens'

export const routes = [
  ...screenOfBoth('preRegistrationBatches', () => import('./BatchesPage').then((page) => page.BatchesPage)),
  ...screenOfBoth('preRegistrations', () => import('./PreRegistrationsPage').then((page) => page.PreRegistrationsPage)),
  ...screenOfBoth('deletedPreRegistrations', () => import('./RecycleBinPage').then((page) => page.RecycleBinPage)),
]
