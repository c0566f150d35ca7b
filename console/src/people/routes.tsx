import { screen } from '@/kit/screen'
import { paths } from '@/paths'
import { screenOfBoth } from '@/schools/screens'

export const routes = [
  ...screenOfBoth('teachers', () => import('./TeachersPage').then((page) => page.TeachersPage)),
  ...screenOfBoth('classManagers', () => import('./ClassManagersPage').then((page) => page.ClassManagersPage)),
  ...screen(paths.clientMenus, () => import('./ClientMenusPage').then((page) => page.ClientMenusPage)),
]
