import { screen } from '@/kit/screen'
import { paths } from '@/paths'

export const routes = [
  ...screen(paths.quizClasses, () => import('./QuizClassesPage').then((page) => page.QuizClassesPage)),
]
