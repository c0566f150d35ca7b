import { screen } from '@/kit/screen'
import { paths } from '@/paths'

export const routes = [
  ...screen(paths.liveChannels, () => import('./LiveChannelsPage').then((page) => page.LiveChannelsPage)),
]
