// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Leaf } from '@/kit/menus'
import { matching, offered } from './finding'

const leaf = (title: string, pinyin: string, initials: string, above = '基础数据'): Leaf => ({
  path: `/x/${initials}`,
  title,
  above,
  pinyin,
  initials,
})
const leaves = [
  leaf('专业管理', 'zhuanyeguanli', 'zygl'),
  leaf('年级管理', 'nianjiguanli', 'njgl'),
  leaf('国家专业库', 'guojiazhuanyeku', 'gjzyk'),
  leaf('在籍学生', 'zaijixuesheng', 'zjxs', '学籍'),
]
const titles = (text: string, starred: readonly string[] = []) =>
  matching(leaves, text, starred).map(({ title }) => title)

describe('pages', () => {
  it('are found by name, by pinyin and by its first letters', () => {
    for (const text of ['年级', 'nianji', 'nian ji', 'NJGL', 'nj', '/x/njgl'])
      expect(titles(text), text).toEqual(['年级管理'])
    expect(titles('学籍')).toEqual(['在籍学生'])
    expect(titles('没有')).toEqual([])
  })
  it('stand in the order of how well they fit, starred ones first', () => {
    expect(titles('专业')).toEqual(['专业管理', '国家专业库'])
    expect(titles('zy')).toEqual(['专业管理', '国家专业库'])
    expect(titles('zy', ['/x/gjzyk'])).toEqual(['国家专业库', '专业管理'])
  })
  it('are offered before anything is typed: starred, then recent, else all', () => {
    const shown = (starred: string[], recent: string[]) => {
      const { favourites, recent: others, pages } = offered(leaves, starred, recent)
      return [favourites, others, pages].map((group) => group.map(({ initials }) => initials))
    }
    expect(shown(['/x/njgl', '/gone'], ['/x/zjxs', '/x/njgl'])).toEqual([['njgl'], ['zjxs'], []])
    expect(shown([], [])).toEqual([[], [], ['zygl', 'njgl', 'gjzyk', 'zjxs']])
  })
})

describe('stars', () => {
  beforeEach(() => {
    localStorage.clear()
    vi.resetModules()
  })
  const person = (userId: number, area: string) => ({
    userId,
    area,
    loginName: '',
    realName: '',
    userType: '',
    readOnly: false,
    mustChangePassword: false,
    mustSetTotp: false,
    schoolDemo: false,
    expiresAt: '2026-11-21T10:00:00+08:00',
    permissionVersion: 1,
    schools: [],
    dataScope: { kind: 'all', names: [] },
    roleNames: [],
    unreadMsgCount: 0,
    serverVersion: '0.1.0',
  })
  it('are kept for each person and area', async () => {
    const { useIdentity } = await import('@/api/identity')
    const { useFavourites } = await import('./favourites')
    const be = (userId: number, area: string) => useIdentity.setState({ account: person(userId, area) })
    be(1, 'school')
    useFavourites.getState().toggle('/a')
    useFavourites.getState().toggle('/b')
    be(1, 'platform')
    expect(useFavourites.getState().starred).toEqual([])
    be(2, 'school')
    expect(useFavourites.getState().starred).toEqual([])
    be(1, 'school')
    expect(useFavourites.getState().starred).toEqual(['/a', '/b'])
    useFavourites.getState().toggle('/a')
    expect(useFavourites.getState().starred).toEqual(['/b'])
  })
  it('forget what is not theirs', async () => {
    const { useIdentity } = await import('@/api/identity')
    const { useFavourites } = await import('./favourites')
    localStorage.setItem('favourites.7.school', '{"not":"paths"}')
    useIdentity.setState({ account: person(7, 'school') })
    expect(useFavourites.getState().starred).toEqual([])
    localStorage.setItem('favourites.8.school', 'not json')
    useIdentity.setState({ account: person(8, 'school') })
    expect(useFavourites.getState().starred).toEqual([])
  })
})
