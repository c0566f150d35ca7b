import { matchPath } from 'react-router'
import type { components } from '@/api/schema'
import { paths } from '@/paths'

export type MenuNode = components['schemas']['MenuNode']

/** `{courseId}` of the server is `:courseId` of the router. */
export const routePattern = (path: string) => path.replace(/\{(\w+)\}/g, ':$1')

const isDirectory = (node: MenuNode) => node.children.length > 0

/** The nodes from the root to the page of `pathname`, or none when the person has no such page. */
export const trailOf = (menus: readonly MenuNode[], pathname: string): MenuNode[] => {
  for (const node of menus) {
    if (isDirectory(node)) {
      const below = trailOf(node.children, pathname)
      if (below.length > 0) return [node, ...below]
    }
    if (node.path && matchPath(routePattern(node.path), pathname)) return [node]
  }
  return []
}

export const pageOf = (menus: readonly MenuNode[], pathname: string) => {
  const page = trailOf(menus, pathname).at(-1)
  return page && !isDirectory(page) ? page : undefined
}

/** The first page, depth first, that stands in the sidebar. */
export const firstLeaf = (menus: readonly MenuNode[]): MenuNode | undefined => {
  for (const node of menus) {
    if (node.hidden) continue
    const leaf = isDirectory(node) ? firstLeaf(node.children) : node
    if (leaf?.path) return leaf
  }
  return undefined
}

/** Where a path leads that is only a directory. */
export const leafBelow = (menus: readonly MenuNode[], pathname: string) => {
  const directory = trailOf(menus, pathname).at(-1)
  return directory && isDirectory(directory) ? firstLeaf(directory.children) : undefined
}

export interface Leaf {
  path: string
  title: string
  /** The directories above, in words. */
  above: string
  /** The title as people type it without Chinese input. */
  pinyin: string
  initials: string
}

/** Every page of the sidebar, flat, for the palette. */
export const leavesOf = (menus: readonly MenuNode[], above: readonly string[] = []): Leaf[] =>
  menus
    .filter((node) => !node.hidden)
    .flatMap((node) =>
      isDirectory(node)
        ? leavesOf(node.children, [...above, node.title])
        : [
            {
              path: node.path,
              title: node.title,
              above: above.join(' / '),
              pinyin: node.pinyin,
              initials: node.initials,
            },
          ],
    )

const isNamed = ({ title, pinyin, initials }: MenuNode, text: string) =>
  [title.toLowerCase(), pinyin, initials].some((name) => name.includes(text))

/** The tree with only what `text` names, by title, 全拼 or 拼音首字母. A directory that is named keeps all its pages. */
export const filterMenus = (menus: readonly MenuNode[], text: string): MenuNode[] =>
  menus.flatMap((node) => {
    if (isNamed(node, text.trim().toLowerCase())) return [node]
    const children = filterMenus(node.children, text)
    return children.length > 0 ? [{ ...node, children }] : []
  })

/** Pages that never keep their state: papers being marked, questions being chosen, forms with a page of their own. */
const uncached = [
  /\/\{\w+\}/,
  /\/(markPapers|workPapers|onlineWorkMarking|onlineExamMarking)$/,
  /\/(selectIssue|selectIssueSchool)$/,
  /\/course\/record\/(edit|add|list\/chapterList)$/,
  /\/exam\/(edit|add)$/,
  /\/(onlineTestSetup|onlineTestSetupAdd|onlineTestSetupAddByBatch|onlineWorkSetup|onlineAssignment|addTestByCourse)$/,
  /\/(showPlanSemester|showPlanMajor)$/,
  /^\/user\/msg\/(add|edit|statistics|checkStatistics|failureLog)$/,
  /^\/system\/(sys\/config|banner|sys\/param\/config)\/(add|edit)$/,
  /^\/system\/sys\/sensitive\/word\/library\/add$/,
  /^\/(schoolSupport|system\/dict\/data|sys\/user\/list\/userupload|sys\/school\/systemManagerment)$/,
  /^\/(druid\/index|dashboard|iframe)$/,
  /^\/redirect(\/|$)/,
]

/** Whether the page keeps its filters, scroll and drafts while its tab is open. */
export const isKept = (pattern: string, search: string) =>
  !uncached.some((rule) => rule.test(pattern)) &&
  !(pattern.endsWith('/scoreResultsEntered') && new URLSearchParams(search).has('sheetId'))

/** A path of this console and of nobody else: `//evil` and `https:` are not. */
export const isLocalPath = (path: string) => /^\/(?![/\\])/.test(path)

/** Where a sign-in leads: the wanted page when it is one of the menu, else home. */
export const destination = (menus: readonly MenuNode[], wanted: string | null) => {
  const home = firstLeaf(menus)?.path ?? '/'
  if (!wanted || !isLocalPath(wanted)) return home
  const { pathname } = new URL(wanted, 'http://console.invalid')
  return pathname === paths.support || pageOf(menus, pathname) ? wanted : (leafBelow(menus, pathname)?.path ?? home)
}
