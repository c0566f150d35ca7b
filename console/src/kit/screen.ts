import { type ComponentType, createElement, lazy, useState } from 'react'

export interface Screen {
  /** As the server's menu spells it, `{courseId}` for a parameter. */
  path: string
  Component: ComponentType
  /** Fetches the code, so that the page opens at once. */
  prefetch: () => Promise<unknown>
}

/** A screen that is loaded when it is first opened or looked forward to. With two paths it serves both areas. */
export const screen = (path: string | readonly string[], load: () => Promise<ComponentType>): Screen[] => {
  let loaded: ComponentType | undefined
  let loading: Promise<ComponentType> | undefined
  const fetched = () => {
    loading ??= load().then(
      (component) => {
        loaded = component
        return component
      },
      (error: unknown) => {
        // The next one asks again.
        loading = undefined
        throw error
      },
    )
    return loading
  }
  const Late = lazy(async () => ({ default: await fetched() }))
  // What is there already is shown without a word of waiting; a page that stands keeps to what it began with.
  const Component = () => createElement(useState(() => ({ shown: loaded ?? Late }))[0].shown)
  return [path].flat().map((each) => ({ path: each, Component, prefetch: fetched }))
}
