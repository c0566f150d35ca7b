import { expect, test } from 'vitest'
import type { RightsMenu } from '@/api/types/accounts'
import { nodeAt, nodesOf, permissionsIn } from './rights'

const permission = (id: number, name: string) => ({ id, name, code: `code:${id}`, enabled: true, checked: false })
const menu = (id: number, menuName: string, permissions: RightsMenu['permissions'], children: RightsMenu[] = []) => ({
  id,
  parentId: 0,
  menuName,
  enabled: true,
  permissions,
  children,
})
const menus = [
  menu(1, '学籍管理', [], [menu(2, '在籍学生', [permission(10, '学生列表'), permission(11, '导出学生')])]),
  menu(3, '基础数据', [], [menu(4, '站点', [permission(12, '站点列表')])]),
]

test('a search keeps the way to what fits', () => {
  expect(permissionsIn(nodesOf(menus, '列表'))).toEqual([10, 12])
  expect(permissionsIn(nodesOf(menus, '在籍'))).toEqual([10, 11])
  expect(permissionsIn(nodesOf(menus, 'code:11'))).toEqual([11])
  expect(nodesOf(menus, '没有')).toEqual([])
})

test('a menu stands for all below it', () => {
  const nodes = nodesOf(menus)
  expect(permissionsIn([nodeAt(nodes, 'm1')].flatMap((node) => node ?? []))).toEqual([10, 11])
  expect(nodeAt(nodes, 'p12')?.title).toBe('站点列表')
})
