import { screenOfBoth } from '@/schools/screens'

export const routes = [
  ...screenOfBoth('students', () => import('./StudentsPage').then((page) => page.StudentsPage)),
  ...screenOfBoth('studentAccounts', () => import('./AccountsPage').then((page) => page.AccountsPage)),
]
