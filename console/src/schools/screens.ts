import type { ComponentType } from 'react'
import { type Screen, screen } from '@/kit/screen'
import { paths, platformPaths, type SharedPath } from '@/paths'

/** One component, two screens: a school sees its own data, an operator those of the schools that they choose. */
export const screenOfBoth = (name: SharedPath, load: () => Promise<ComponentType>): Screen[] => [
  ...screen(paths[name], load),
  ...screen(platformPaths[name], async () => {
    const [Component, { overSchools }] = await Promise.all([load(), import('./OverSchools')])
    return overSchools(Component)
  }),
]
