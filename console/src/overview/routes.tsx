import { screen } from '@/kit/screen'
import { paths } from '@/paths'

export const routes = screen(paths.home, () => import('./OverviewPage').then((page) => page.OverviewPage))
