import { screen } from '@/kit/screen'
import { paths } from '@/paths'

export const routes = [
  ...screen(paths.gzhMenu, () => import('./MenuPage').then((page) => page.MenuPage)),
  ...screen(paths.gzhMaterials, () => import('./MaterialsPage').then((page) => page.MaterialsPage)),
  ...screen(paths.gzhReplies, () => import('./RepliesPage').then((page) => page.RepliesPage)),
]
