import { screen } from '@/kit/screen'
import { paths } from '@/paths'

export const routes = [
  ...screen(paths.navBarsPc, () => import('./NavBarsPage').then((page) => page.PcNavBarsPage)),
  ...screen(paths.navBarsApp, () => import('./NavBarsPage').then((page) => page.AppNavBarsPage)),
  ...screen(paths.topAdvertisementsPc, () =>
    import('./TopAdvertisementsPage').then((page) => page.PcTopAdvertisementsPage),
  ),
  ...screen(paths.topAdvertisementsApp, () =>
    import('./TopAdvertisementsPage').then((page) => page.AppTopAdvertisementsPage),
  ),
  ...screen(paths.carouselPicturesPc, () =>
    import('./CarouselPicturesPage').then((page) => page.PcCarouselPicturesPage),
  ),
  ...screen(paths.carouselPicturesApp, () =>
    import('./CarouselPicturesPage').then((page) => page.AppCarouselPicturesPage),
  ),
  ...screen(paths.siteZonesPc, () => import('./SiteZonesPage').then((page) => page.PcSiteZonesPage)),
  ...screen(paths.siteZonesApp, () => import('./SiteZonesPage').then((page) => page.AppSiteZonesPage)),
  ...screen(paths.schoolZones, () => import('./SchoolZonesPage').then((page) => page.SchoolZonesPage)),
  ...screen(paths.homeCategories, () => import('./HomeCategoriesPage').then((page) => page.HomeCategoriesPage)),
  ...screen(paths.footerNavs, () => import('./FooterNavsPage').then((page) => page.FooterNavsPage)),
  ...screen(paths.friendLinks, () => import('./FriendLinksPage').then((page) => page.FriendLinksPage)),
  ...screen(paths.posterTemplates, () => import('./PosterTemplatesPage').then((page) => page.PosterTemplatesPage)),
  ...screen(paths.searchWords, () => import('./SearchWordsPage').then((page) => page.SearchWordsPage)),
]
