import { describe, expect, it } from 'vitest'
import type { MenuNode } from '@/api/types/accounts'
import { filterMenus, firstLeaf, leavesOf, pageOf, trailOf } from '@/kit/menus'
import { decide, frameAllowed, helpAllowed } from './guard'
import { destination, isKept, isLocalPath } from './menus'

let id = 0
const node = (path: string, title: string, children: MenuNode[] = [], more: Partial<MenuNode> = {}): MenuNode => {
  id += 1
  const spelt = { pinyin: '', initials: '' }
  return {
    id,
    parentId: 0,
    path,
    name: title,
    title,
    ...spelt,
    icon: '',
    hidden: false,
    keepAlive: true,
    children,
    ...more,
  }
}
const menus = [
  node('/hidden', '隐藏', [], { hidden: true }),
  node('/dashboard', '首页'),
  node('/group/system', '系统管理', [node('/sys/user/list', '账号管理'), node('/sys/school/list', '院校列表')]),
  node('/schoolPC/basicData', '基础数据', [
    node('/schoolPC/course/record/list/{courseId}', '章节管理', [], { hidden: true }),
    node('/iframe', '帮助站', [], { frameUrl: 'https://help.example.cn/' }),
  ]),
]
const visit = (path: string) => {
  const { pathname, search } = new URL(path, 'http://x')
  return { pathname, search }
}
const person = { token: true, menus }

describe('the guard', () => {
  it('sends nobody to sign in, with the way back', () => {
    const nobody = { token: false, menus: undefined }
    expect(decide(visit('/sys/user/list'), nobody)).toEqual({ kind: 'go', to: '/login?redirect=%2Fsys%2Fuser%2Flist' })
    expect(decide(visit('/schoolSupport'), nobody)).toEqual({ kind: 'go', to: '/login?redirect=%2FschoolSupport' })
    expect(decide(visit('/login'), nobody)).toEqual({ kind: 'show' })
    expect(decide(visit('/404'), nobody)).toEqual({ kind: 'show' })
  })
  it('loads the menu before anything is shown', () => {
    expect(decide(visit('/sys/user/list'), { token: true, menus: undefined })).toEqual({ kind: 'load' })
    expect(decide(visit('/sys/user/list'), { token: true, menus: [] })).toEqual({ kind: 'empty' })
  })
  it('leads on from the sign-in page, to local pages of the menu only', () => {
    const led = (redirect: string) => decide(visit(`/login?redirect=${encodeURIComponent(redirect)}`), person)
    expect(led('/sys/user/list')).toEqual({ kind: 'go', to: '/sys/user/list' })
    expect(led('//evil')).toEqual({ kind: 'go', to: '/dashboard' })
    expect(led('https://evil')).toEqual({ kind: 'go', to: '/dashboard' })
    expect(led('/nobody/knows')).toEqual({ kind: 'go', to: '/dashboard' })
    expect(decide(visit('/login'), person)).toEqual({ kind: 'go', to: '/dashboard' })
  })
  it('leads from a path that a page is also known under to the page, with what is searched for', () => {
    const place = '/schoolPC/studentStatus/transaction/dropout?tab=suspension'
    expect(decide(visit(place), person)).toEqual({ kind: 'go', to: '/schoolPC/studentStatus/dropout?tab=suspension' })
  })
  it('knows pages, hidden ones and ones with parameters', () => {
    for (const path of ['/sys/user/list', '/hidden', '/schoolPC/course/record/list/7']) {
      expect(decide(visit(path), person)).toEqual({ kind: 'show' })
    }
    expect(decide(visit('/sys/role/list'), person)).toEqual({ kind: 'go', to: '/404' })
  })
  it('opens the first page of a directory that a person may see', () => {
    const setup = '/schoolPC/examination/offlineIndex/offlineTestSetup'
    const [exam, audit] = [node(`${setup}/offlineTest`, '考试安排'), node(`${setup}/offlineExamAudit`, '考试审核')]
    const of = (...children: MenuNode[]) => ({ token: true, menus: [node(setup, '线下考试设置', children)] })
    expect(decide(visit(setup), of(exam, audit))).toEqual({ kind: 'go', to: exam.path })
    expect(decide(visit(setup), of(audit))).toEqual({ kind: 'go', to: audit.path })
  })
  it('opens the first page of a directory and home at the root', () => {
    expect(decide(visit('/group/system'), person)).toEqual({ kind: 'go', to: '/sys/user/list' })
    expect(decide(visit('/'), person)).toEqual({ kind: 'go', to: '/dashboard' })
    const withoutHome = { token: true, menus: menus.slice(2) }
    expect(decide(visit('/dashboard'), withoutHome)).toEqual({ kind: 'go', to: '/sys/user/list' })
  })
  it('refreshes local paths only', () => {
    expect(decide(visit('/redirect/sys/user/list?page=2'), person)).toEqual({
      kind: 'refresh',
      to: '/sys/user/list?page=2',
    })
    expect(decide(visit('/redirect//evil'), person)).toEqual({ kind: 'refresh', to: '/evil' })
  })
  it('shows the help centre only of a school that has it, to who has its page', () => {
    const withHelp = [...menus, node('/schoolSupport', '帮助中心', [], { hidden: true })]
    expect(helpAllowed(withHelp, true, 3)).toBe(true)
    expect(helpAllowed(withHelp, false, 3)).toBe(false)
    expect(helpAllowed(withHelp, undefined, 3)).toBe(false)
    expect(helpAllowed(withHelp, true, undefined)).toBe(false)
    expect(helpAllowed(menus, true, 3)).toBe(false)
  })
  it('frames only the https pages of the menu', () => {
    expect(frameAllowed(menus, 'https://help.example.cn/')).toBe(true)
    expect(frameAllowed(menus, 'https://evil.cn/')).toBe(false)
    expect(frameAllowed(menus, 'http://help.example.cn/')).toBe(false)
    expect(frameAllowed(menus, null)).toBe(false)
  })
})

describe('menus', () => {
  it('tell home, trail and page', () => {
    expect(firstLeaf(menus)?.path).toBe('/dashboard')
    expect(trailOf(menus, '/sys/school/list').map(({ title }) => title)).toEqual(['系统管理', '院校列表'])
    expect(pageOf(menus, '/group/system')).toBeUndefined()
    expect(destination(menus, '/sys/school/list?status=active')).toBe('/sys/school/list?status=active')
  })
  it('are found by their words', () => {
    expect(filterMenus(menus, '院校').map(({ children }) => children.map(({ title }) => title))).toEqual([['院校列表']])
    const spelt = [node('/x', '年级管理', [], { pinyin: 'nianjiguanli', initials: 'njgl' })]
    for (const text of ['NJ', 'nianji', ' 年级 ']) expect(filterMenus(spelt, text), text).toHaveLength(1)
    expect(filterMenus(spelt, 'zy')).toHaveLength(0)
    expect(leavesOf(menus).map(({ title }) => title)).toEqual(['首页', '账号管理', '院校列表', '帮助站'])
  })
})

it('tells local paths', () => {
  expect(isLocalPath('/a')).toBe(true)
  for (const path of ['//evil', '/\\evil', 'https://evil', 'javascript:1', '']) expect(isLocalPath(path)).toBe(false)
})

it('keeps lists and begins marking anew', () => {
  expect(isKept('/schoolPC/userManagerment/studentList', '')).toBe(true)
  expect(isKept('/sys/school/list', '?status=active')).toBe(true)
  for (const path of [
    '/schoolPC/examination/onlineIndex/markPapers',
    '/platformPC/educational/onlineWork/onlineWorkMarking',
    '/schoolPC/basicData/course/record/list/{courseId}',
    '/platformPC/basicData/course/record/edit',
    '/system/dict/data',
    '/sys/user/list/userupload',
    '/user/msg/failureLog',
    '/system/banner/add',
    '/druid/index',
    '/dashboard',
    '/schoolSupport',
  ]) {
    expect(isKept(path, ''), path).toBe(false)
  }
  expect(isKept('/x/scoreResultsEntered', '')).toBe(true)
  expect(isKept('/x/scoreResultsEntered', '?sheetId=3')).toBe(false)
})
