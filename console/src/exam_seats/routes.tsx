import { screen } from '@/kit/screen'
import { paths } from '@/paths'

export const routes = [
  ...screen(paths.examSessions, () => import('./SessionsPage').then((page) => page.SessionsPage)),
  ...screen(paths.examRooms, () => import('./ExamRoomsPage').then((page) => page.ExamRoomsPage)),
]
