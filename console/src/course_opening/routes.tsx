import { screenOfBoth } from '@/schools/screens'

export const routes = [
  ...screenOfBoth('courseOpenings', () => import('./OpeningsPage').then((page) => page.OpeningsPage)),
  ...screenOfBoth('courseCredits', () => import('./CreditsPage').then((page) => page.CreditsPage)),
  ...screenOfBoth('courseAllocations', () => import('./AllocationsPage').then((page) => page.AllocationsPage)),
]
