import { expect, it } from 'vitest'
import { asTree, fieldsOfAction, leadsTo, refusalBelow, refusalFirst } from './menus'

it('gives leaves no branches', () => {
  expect(asTree<{ id: number; name: string }>([{ id: 1, name: '招生', children: [{ id: 2, name: '简章' }] }])).toEqual([
    { id: 1, name: '招生', children: [{ id: 2, name: '简章', children: [] }] },
  ])
})

it('says where an entry leads', () => {
  expect(leadsTo({})).toBeUndefined()
  expect(leadsTo({ menuType: 'view', url: 'https://www.example.com' })).toBe('https://www.example.com')
  expect(leadsTo({ menuType: 'miniprogram', appId: 'wx1', pagePath: 'pages/index', url: 'https://a.example' })).toBe(
    'wx1 pages/index',
  )
  expect(leadsTo({ menuType: 'click', menuKey: '报名' })).toBe('关键词：报名')
})

it('keeps the limits of the provider', () => {
  const entries = (count: number) => Array.from({ length: count }, (_, id) => ({ id }))
  expect(refusalFirst(entries(2))).toBeUndefined()
  expect(refusalFirst(entries(3))).toBe('一级菜单最多3个')
  expect(refusalBelow({ children: entries(4) })).toBeUndefined()
  expect(refusalBelow({ children: entries(5) })).toBe('二级菜单最多5个')
  expect(refusalBelow({ menuType: 'view', children: [] })).toContain('已设置动作')
})

it('asks for what an action needs', () => {
  expect(fieldsOfAction(undefined)).toEqual([])
  expect(fieldsOfAction('view')).toEqual(['url'])
  expect(fieldsOfAction('miniprogram')).toEqual(['appId', 'pagePath', 'url'])
  for (const type of ['click', 'scancode_push', 'pic_photo_or_album', 'location_select'])
    expect(fieldsOfAction(type)).toEqual(['menuKey'])
})
