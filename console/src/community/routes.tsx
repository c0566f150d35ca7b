import { screen } from '@/kit/screen'
import { paths } from '@/paths'

export const routes = [
  ...screen(paths.communityBlogs, () => import('./BlogsPage').then((page) => page.BlogsPage)),
  ...screen(paths.communityLabels, () => import('./LabelsPage').then((page) => page.LabelsPage)),
  ...screen(paths.communityQuestions, () => import('./QuestionsPage').then((page) => page.QuestionsPage)),
  ...screen(paths.bloggers, () => import('./BloggersPage').then((page) => page.BloggersPage)),
  ...screen(paths.articleZones, () => import('./ArticleZonesPage').then((page) => page.ArticleZonesPage)),
  ...screen(paths.communityRecommends, () =>
    import('./CommunityRecommendsPage').then((page) => page.CommunityRecommendsPage),
  ),
  ...screen(paths.communityCertificates, () =>
    import('./CommunityCertificatesPage').then((page) => page.CommunityCertificatesPage),
  ),
]
