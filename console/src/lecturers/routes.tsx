import { screen } from '@/kit/screen'
import { paths } from '@/paths'

export const routes = [
  ...screen(paths.lecturers, () => import('./LecturersPage').then((page) => page.LecturersPage)),
  ...screen(paths.lecturerAudits, () => import('./LecturerAuditsPage').then((page) => page.LecturerAuditsPage)),
  ...screen(paths.extracts, () => import('./ExtractsPage').then((page) => page.ExtractsPage)),
]
