import { screen } from '@/kit/screen'
import { paths } from '@/paths'

export const routes = [
  ...screen(paths.coupons, () => import('./CouponsPage').then((page) => page.CouponsPage)),
  ...screen(paths.seckills, () => import('./SeckillsPage').then((page) => page.SeckillsPage)),
  ...screen(paths.chosenProducts, () => import('./ChosenProductsPage').then((page) => page.ChosenProductsPage)),
]
