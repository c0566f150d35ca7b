import { screen } from '@/kit/screen'
import { paths } from '@/paths'

export const routes = [
  ...screen(paths.dictTypes, () => import('./DictTypesPage').then((page) => page.DictTypesPage)),
  ...screen(paths.dictData, () => import('./DictDataPage').then((page) => page.DictDataPage)),
  ...screen(paths.systemConfig, () => import('./ConfigsPage').then((page) => page.ConfigsPage)),
  ...screen(paths.configAdd, () => import('./ConfigFormPage').then((page) => page.NewConfigPage)),
  ...screen(paths.configEdit, () => import('./ConfigFormPage').then((page) => page.EditConfigPage)),
  ...screen(paths.params, () => import('./ParamsPage').then((page) => page.ParamsPage)),
  ...screen(paths.paramAdd, () => import('./ParamFormPage').then((page) => page.NewParamPage)),
  ...screen(paths.paramEdit, () => import('./ParamFormPage').then((page) => page.EditParamPage)),
  ...screen(paths.words, () => import('./WordsPage').then((page) => page.WordsPage)),
  ...screen(paths.wordAdd, () => import('./NewWordsPage').then((page) => page.NewWordsPage)),
  ...screen(paths.payChannels, () => import('./PayChannelsPage').then((page) => page.PayChannelsPage)),
  ...screen(paths.banners, () => import('./BannersPage').then((page) => page.BannersPage)),
  ...screen(paths.bannerAdd, () => import('./BannerFormPage').then((page) => page.NewBannerPage)),
  ...screen(paths.bannerEdit, () => import('./BannerFormPage').then((page) => page.EditBannerPage)),
]
