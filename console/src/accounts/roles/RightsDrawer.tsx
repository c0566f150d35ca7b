import { Alert, Button, Drawer, Input, Result, Skeleton, Space, Tree } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { request } from '@/api/client'
import { ApiError, messageOf } from '@/api/errors'
import type { RowOf } from '@/api/operation'
import { confirm } from '@/kit/confirm'
import { DialogName } from '@/kit/DialogName'
import { formatNumber } from '@/kit/format'
import { useAction } from '@/kit/useAction'
import type { DrawerProps } from '@/kit/useDrawer'
import { allocateRoleRights, type listRoles, viewRoleRights } from '../api'
import { keysOf, nodeAt, nodesOf, permissionsIn, type RightsNode } from './rights'
import './roles.css'

type Role = RowOf<typeof listRoles>

interface NodeProps {
  key: string
  title: string
  disableCheckbox: boolean
  children?: NodeProps[]
}

interface RightsDrawerProps extends DrawerProps<Role> {
  /** Why it can only be looked at. */
  readOnly?: string
}

/** What can only be looked at. */
const fixed = (nodes: readonly RightsNode[]): NodeProps[] =>
  nodes.map(({ key, title, children }) => ({
    key,
    title,
    disableCheckbox: true,
    children: children && fixed(children),
  }))

/** 分配权限: the tree of menus with the codes that hang under them. */
export const RightsDrawer = ({ record: role, visible, onClose, readOnly }: RightsDrawerProps) => {
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState<ReadonlySet<number>>()
  const [conflict, setConflict] = useState<string>()
  const rights = useQuery({
    queryKey: [viewRoleRights.path, role?.id],
    queryFn: ({ signal }) => request(viewRoleRights, { query: { id: role?.id ?? 0 } }, { signal }),
    enabled: visible && role !== undefined,
    // What somebody ticks here must not change under their hands.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  const saving = useAction(allocateRoleRights, { done: '已分配权限，立即生效', onDone: onClose })
  const all = nodesOf(rights.data?.menus ?? [])
  const shown = nodesOf(rights.data?.menus ?? [], text.trim())
  const held = chosen ?? new Set(rights.data?.checkedPermissionIds)
  const isTouched = chosen !== undefined

  const toggle = (key: string, on: boolean) => {
    const node = nodeAt(shown, key)
    const meant = node ? permissionsIn([node]) : []
    const rest = [...held].filter((id) => !meant.includes(id))
    setChosen(new Set(on ? [...rest, ...meant] : rest))
  }
  const close = async () => {
    const lost = { title: '有未保存的内容，确定关闭吗？', okText: '关闭' }
    if (!isTouched || (await confirm(lost))) onClose()
  }
  const save = () => {
    if (!role || !rights.data) return
    const body = {
      roleId: role.id,
      menuIds: [],
      permissionIds: [...held],
      version: rights.data.version,
    }
    saving.mutate(
      { body },
      { onError: (error) => error instanceof ApiError && error.code === 409 && setConflict(error.message) },
    )
  }
  const reload = async () => {
    setChosen(undefined)
    setConflict(undefined)
    await rights.refetch()
  }
  const title = `${readOnly ? '查看权限' : '分配权限'} ${role?.roleName ?? ''}`

  return (
    <Drawer
      title={title}
      width={560}
      visible={visible}
      onCancel={close}
      unmountOnExit
      footer={
        <Space>
          <Button onClick={close}>{readOnly ? '关闭' : '取消'}</Button>
          {!readOnly && (
            <Button type="primary" loading={saving.isPending} disabled={!isTouched} onClick={save}>
              保存
            </Button>
          )}
        </Space>
      }
    >
      <DialogName name={title} />
      {readOnly && <Alert type="info" content={readOnly} />}
      {conflict && (
        <Alert
          type="warning"
          title={conflict}
          content="重新载入会放弃这里的勾选。"
          action={
            <Button size="small" onClick={reload}>
              重新载入
            </Button>
          }
        />
      )}
      {rights.isPending && <Skeleton text={{ rows: 10 }} animation />}
      {rights.isError && (
        <Result
          status="error"
          title="权限没有加载成功"
          subTitle={messageOf(rights.error)}
          extra={<Button onClick={() => rights.refetch()}>重试</Button>}
        />
      )}
      {rights.data && (
        <>
          <div className="rights-head">
            <Input.Search
              aria-label="查找权限"
              placeholder="菜单、权限名称或标识"
              allowClear
              value={text}
              onChange={setText}
            />
            <span role="status">
              已选 {formatNumber(held.size)} / {formatNumber(permissionsIn(all).length)}
            </span>
            {!readOnly && (
              <>
                <Button size="small" onClick={() => setChosen(new Set([...held, ...permissionsIn(shown)]))}>
                  全选
                </Button>
                <Button
                  size="small"
                  onClick={() => {
                    const meant = new Set(permissionsIn(shown))
                    setChosen(new Set([...held].filter((id) => !meant.has(id))))
                  }}
                >
                  全不选
                </Button>
              </>
            )}
          </div>
          {shown.length === 0 ? (
            <p className="nothing">没有名称或标识包含“{text}”的权限</p>
          ) : (
            <Tree
              key={text}
              checkable
              actionOnClick="check"
              className="rights-tree"
              blockNode
              treeData={readOnly ? fixed(shown) : shown}
              defaultExpandedKeys={text ? undefined : shown.map((node) => node.key)}
              autoExpandParent={Boolean(text)}
              checkedKeys={keysOf(held)}
              virtualListProps={{ height: 560 }}
              onCheck={(_, { node, checked }) => toggle(node.props._key ?? '', checked)}
            />
          )}
        </>
      )}
    </Drawer>
  )
}
