import { type ComponentType, lazy } from 'react'

export interface Screen {
  /** As the server's menu spells it, `{courseId}` for a parameter. */
  path: string
  Component: ComponentType
}

/** A screen that is loaded when it is first opened. With two paths it serves both areas. */
export const screen = (path: string | readonly string[], load: () => Promise<ComponentType>): Screen[] => {
  const Component = lazy(async () => ({ default: await load() }))
  return [path].flat().map((each) => ({ path: each, Component }))
}
