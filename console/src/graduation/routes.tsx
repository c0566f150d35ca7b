import { screen } from '@/kit/screen'
import { paths } from '@/paths'

export const routes = [
  ...screen(paths.graduationBatches, () =>
    import('./GraduationBatchesPage').then((page) => page.GraduationBatchesPage),
  ),
  ...screen(paths.graduates, () => import('./GraduatesPage').then((page) => page.GraduatesPage)),
]
