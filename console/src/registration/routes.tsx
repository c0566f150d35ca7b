import { screenOfBoth } from '@/schools/screens'

export const routes = [
  ...screenOfBoth('registrations', () => import('./RegistrationsPage').then((page) => page.RegistrationsPage)),
  ...screenOfBoth('deletedRegistrations', () => import('./RecycleBinPage').then((page) => page.RecycleBinPage)),
]
