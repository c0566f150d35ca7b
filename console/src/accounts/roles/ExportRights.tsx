import { Button } from '@arco-design/web-react'
import { IconExport } from '@arco-design/web-react/icon'
import { useMutation } from '@tanstack/react-query'
import { call } from '@/api/client'
import { messageOf, tellError } from '@/api/errors'
import { saveBlob } from '@/api/files'
import type { RightsMenu } from '@/api/types/accounts'
import { Can } from '@/kit/Can'
import { csvOf } from '@/kit/csv'
import { listRoles, viewRoleRights } from '../api'

interface Line {
  menu: string
  name: string
  code: string
  id: number
  enabled: boolean
}

const linesOf = (menus: readonly RightsMenu[], above: readonly string[] = []): Line[] =>
  menus.flatMap((menu) => {
    const path = [...above, menu.menuName]
    const own = menu.permissions.map(({ id, name, code, enabled }) => ({
      menu: path.join(' / '),
      name,
      code,
      id,
      enabled,
    }))
    return [...own, ...linesOf(menu.children, path)]
  })

/** One line a permission, one column a role; ● where the role has it. */
const saveTable = async () => {
  const { list: roles } = await call(listRoles, { query: { pageCurrent: 1, pageSize: 500 } })
  const rights = await Promise.all(roles.map((role) => call(viewRoleRights, { query: { id: role.id } })))
  for (const platform of [true, false]) {
    const columns = roles.flatMap((role, at) => {
      const found = rights[at]
      return (role.kind === 'platform') === platform && found ? [{ role, found }] : []
    })
    const first = columns[0]
    if (!first) continue
    const heading = ['菜单', '权限', '标识', '状态', ...columns.map(({ role }) => role.roleName)]
    const held = columns.map(({ found }) => new Set(found.checkedPermissionIds))
    const rows = linesOf(first.found.menus).map(({ menu, name, code, id, enabled }) => [
      menu,
      name,
      code,
      enabled ? '启用' : '停用',
      ...held.map((ids) => (ids.has(id) ? '●' : '')),
    ])
    saveBlob(csvOf(heading, rows), `${platform ? '平台' : '院校'}角色权限表.csv`)
  }
}

/** 导出权限表: which role has which permission, for those who must account for it. */
export const ExportRights = () => {
  const saving = useMutation({ mutationFn: saveTable, onError: (error) => tellError(messageOf(error)) })
  return (
    <Can do={viewRoleRights}>
      <Button icon={<IconExport />} loading={saving.isPending} onClick={() => saving.mutate()}>
        导出权限表
      </Button>
    </Can>
  )
}
