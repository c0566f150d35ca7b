import { screen } from '@/kit/screen'
import { paths } from '@/paths'

export const routes = [
  ...screen(paths.learners, () => import('./LearnersPage').then((page) => page.LearnersPage)),
  ...screen(paths.vipSets, () => import('./VipSetsPage').then((page) => page.VipSetsPage)),
]
