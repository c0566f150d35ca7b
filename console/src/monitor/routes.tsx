import { screen } from '@/kit/screen'
import { paths } from '@/paths'

export const routes = screen(paths.monitor, () => import('./MonitorPage').then((page) => page.MonitorPage))
