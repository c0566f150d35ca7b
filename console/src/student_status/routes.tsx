import { screen } from '@/kit/screen'
import { paths } from '@/paths'

export const routes = [
  ...screen(paths.students, () => import('./StudentsPage').then((page) => page.StudentsPage)),
  ...screen(paths.studentAccounts, () => import('./AccountsPage').then((page) => page.AccountsPage)),
]
