import { screen } from '@/kit/screen'
import { paths } from '@/paths'

export const routes = [
  ...screen(paths.orders, () => import('./OrdersPage').then((page) => page.OrdersPage)),
  ...screen(paths.payRules, () => import('./PayRulesPage').then((page) => page.PayRulesPage)),
  ...screen(paths.distributions, () => import('./DistributionsPage').then((page) => page.DistributionsPage)),
]
