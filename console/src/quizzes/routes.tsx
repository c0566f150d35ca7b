import { screen } from '@/kit/screen'
import { paths } from '@/paths'

export const routes = [
  ...screen(paths.quizzes, () => import('./QuizzesPage').then((page) => page.QuizzesPage)),
  ...screen(paths.quizAudits, () => import('./QuizAuditsPage').then((page) => page.QuizAuditsPage)),
  ...screen(paths.quizRecommends, () => import('./QuizRecommendsPage').then((page) => page.QuizRecommendsPage)),
  ...screen(paths.quizCategories, () => import('./QuizCategoriesPage').then((page) => page.QuizCategoriesPage)),
  ...screen(paths.quizProblemCategories, () =>
    import('./QuizCategoriesPage').then((page) => page.QuizProblemCategoriesPage),
  ),
]
