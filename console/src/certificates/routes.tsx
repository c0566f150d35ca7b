import { screen } from '@/kit/screen'
import { paths } from '@/paths'

export const routes = screen(paths.archives, () => import('./ArchivesPage').then((page) => page.ArchivesPage))
