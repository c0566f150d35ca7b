import type { MenuNode } from '@/api/types/accounts'
import { firstLeaf, leafBelow, pageOf } from '@/kit/menus'
import { paths } from '@/paths'

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
