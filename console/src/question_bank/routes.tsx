import { screen } from '@/kit/screen'
import { paths } from '@/paths'
import { screenOfBoth } from '@/schools/screens'

export const routes = [
  ...screenOfBoth('questionBanks', () => import('./QuestionBanksPage').then((page) => page.QuestionBanksPage)),
  ...screenOfBoth('questions', () => import('./QuestionsPage').then((page) => page.QuestionsPage)),
  ...screenOfBoth('questionAdd', () => import('./QuestionFormPage').then((page) => page.NewQuestionPage)),
  ...screenOfBoth('questionEdit', () => import('./QuestionFormPage').then((page) => page.EditQuestionPage)),
  ...screenOfBoth('papers', () => import('./PapersPage').then((page) => page.PapersPage)),
  ...screenOfBoth('paperCompose', () => import('./ComposePage').then((page) => page.ComposePage)),
  ...screen(paths.paperManage, () => import('./ManagePage').then((page) => page.ManagePage)),
]
