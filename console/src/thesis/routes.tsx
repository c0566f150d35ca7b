import { screen } from '@/kit/screen'
import { paths } from '@/paths'

export const routes = screen(paths.theses, () => import('./ThesisPage').then((page) => page.ThesisPage))
