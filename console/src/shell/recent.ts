import { store, stored } from '@/api/session'

const MOST = 8

/** The pages opened last in this browser tab, newest first. */
export const recentPaths = () => stored<string[]>('recent') ?? []

export const rememberRecent = (path: string) =>
  store('recent', [path, ...recentPaths().filter((other) => other !== path)].slice(0, MOST))
