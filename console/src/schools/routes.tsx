import { screen } from '@/kit/screen'
import { paths } from '@/paths'

export const routes = screen(paths.schools, () => import('./SchoolsPage').then((page) => page.SchoolsPage))
