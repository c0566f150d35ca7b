import { screen } from '@/kit/screen'
import { paths } from '@/paths'

export const routes = [
  ...screen(paths.users, () => import('./users/UsersPage').then((page) => page.UsersPage)),
  ...screen(paths.own, () => import('./own/OwnPage').then((page) => page.OwnPage)),
  ...screen(paths.userUpload, () => import('./users/UserUploadPage').then((page) => page.UserUploadPage)),
  ...screen(paths.roles, () => import('./roles/RolesPage').then((page) => page.RolesPage)),
  ...screen(paths.platformMenus, () => import('./menus/MenusPage').then((page) => page.PlatformMenusPage)),
  ...screen(paths.schoolMenus, () => import('./menus/MenusPage').then((page) => page.SchoolMenusPage)),
]
