import { screenOfBoth } from '@/schools/screens'

export const routes = [
  ...screenOfBoth('students', () => import('./StudentsPage').then((page) => page.StudentsPage)),
  ...screenOfBoth('leftStudents', () => import('./FormerStudents').then((page) => page.LeftStudentsPage)),
  ...screenOfBoth('finishedStudents', () => import('./FormerStudents').then((page) => page.FinishedStudentsPage)),
  ...screenOfBoth('studentAccounts', () => import('./AccountsPage').then((page) => page.AccountsPage)),
]
