import { screen } from '@/kit/screen'
import { paths } from '@/paths'

export const routes = [
  ...screen(paths.messages, () => import('./MessagesPage').then((page) => page.MessagesPage)),
  ...screen(paths.messageAdd, () => import('./MessageFormPage').then((page) => page.NewMessagePage)),
  ...screen(paths.messageEdit, () => import('./MessageFormPage').then((page) => page.EditMessagePage)),
  ...screen(paths.messageStatistics, () => import('./StatisticsPage').then((page) => page.StatisticsPage)),
  ...screen(paths.messageReaders, () => import('./ReadersPage').then((page) => page.ReadersPage)),
  ...screen(paths.messageFailures, () => import('./FailuresPage').then((page) => page.FailuresPage)),
  ...screen(paths.messageSwitches, () => import('./SwitchesPage').then((page) => page.SwitchesPage)),
  ...screen(paths.appMessages, () => import('./AppMessagesPage').then((page) => page.AppMessagesPage)),
  ...screen(paths.personMessages, () => import('./PersonMessagesPage').then((page) => page.PersonMessagesPage)),
  ...screen(paths.scenes, () => import('./ScenesPage').then((page) => page.ScenesPage)),
  ...screen(paths.messageTemplates, () => import('./TemplatesPage').then((page) => page.TemplatesPage)),
]
