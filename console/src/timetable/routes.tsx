import { screen } from '@/kit/screen'
import { paths } from '@/paths'

export const routes = screen(paths.courseArranges, () => import('./TimetablePage').then((page) => page.TimetablePage))
