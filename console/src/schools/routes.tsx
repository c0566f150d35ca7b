import { screen } from '@/kit/screen'
import { paths } from '@/paths'

const settings = () => import('./settings/SchoolSettingsPage')

export const routes = [
  ...screen(paths.schools, () => import('./SchoolsPage').then((page) => page.SchoolsPage)),
  ...screen(paths.schoolSettings, () => settings().then((page) => page.SchoolSettingsPage)),
  ...screen(paths.allSettings, () => settings().then((page) => page.AllSettingsPage)),
  ...screen(paths.schoolInfo, () => import('./settings/SchoolInfoPage').then((page) => page.SchoolInfoPage)),
  ...screen(paths.ownSettings, () => settings().then((page) => page.OwnSettingsPage)),
]
