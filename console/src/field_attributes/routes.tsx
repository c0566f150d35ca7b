import { screen } from '@/kit/screen'
import { paths, platformPaths } from '@/paths'

export const routes = [
  ...screen(paths.fieldAttributes, () => import('./FieldAttributesPage').then((page) => page.FieldAttributesPage)),
  ...screen(platformPaths.fieldAttributes, () => import('./TemplatePage').then((page) => page.TemplatePage)),
]
