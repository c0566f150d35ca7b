import { screen } from '@/kit/screen'
import { paths } from '@/paths'

export const routes = [
  ...screen(paths.loginLogs, () => import('./LoginLogsPage').then((page) => page.LoginLogsPage)),
  ...screen(paths.systemLogs, () => import('./OperationLogsPage').then((page) => page.SystemLogsPage)),
  ...screen(paths.userLogs, () => import('./OperationLogsPage').then((page) => page.UserLogsPage)),
]
