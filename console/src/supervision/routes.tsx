import { screen } from '@/kit/screen'
import { paths } from '@/paths'

export const routes = screen(paths.supervision, () => import('./SupervisionPage').then((page) => page.SupervisionPage))
