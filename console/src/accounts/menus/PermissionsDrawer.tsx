import { Button, Drawer, Empty, Skeleton, Table } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import { useQuery } from '@tanstack/react-query'
import { call, request } from '@/api/client'
import type { RowOf } from '@/api/operation'
import { step } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { DialogName } from '@/kit/DialogName'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import { Failed } from '@/kit/Loaded'
import { RowActions } from '@/kit/RowActions'
import { Enabled } from '@/kit/Status'
import { undoBy } from '@/kit/undo'
import { type DrawerProps, useDrawer } from '@/kit/useDrawer'
import {
  deletePermission,
  editPermission,
  type listMenus,
  listPermissions,
  savePermission,
  switchPermission,
  viewPermission,
} from '../api'

type Menu = RowOf<typeof listMenus>
type Permission = RowOf<typeof listPermissions>

/** 权限: the codes that hang under a menu. */
export const PermissionsDrawer = ({ record: menu, visible, onClose }: DrawerProps<Menu>) => {
  const form = useDrawer<Permission>()
  const menuId = menu?.id ?? 0
  const query = useQuery({
    queryKey: [listPermissions.path, menuId],
    queryFn: ({ signal }) => request(listPermissions, { query: { menuId } }, { signal }),
    enabled: visible && menu !== undefined,
  })
  const title = `权限 ${menu?.menuName ?? ''}`
  return (
    <Drawer title={title} width={760} visible={visible} onCancel={onClose} footer={null} unmountOnExit>
      <DialogName name={title} />
      <div className="toolbar">
        <Can do={savePermission}>
          <Button type="primary" icon={<IconPlus />} onClick={() => form.open()}>
            新增权限
          </Button>
        </Can>
      </div>
      {query.isPending && <Skeleton text={{ rows: 5 }} animation />}
      {query.isError && <Failed error={query.error} retry={() => query.refetch()} title="权限没有加载成功" />}
      {query.data && (
        <Table
          rowKey="id"
          size="small"
          data={query.data}
          pagination={false}
          border={{ wrapper: true }}
          noDataElement={<Empty description="这个菜单下没有权限" />}
          columns={[
            { title: '权限名称', dataIndex: 'permissionName', width: 160 },
            { title: '权限标识', dataIndex: 'permissionCode' },
            { title: '角色数', dataIndex: 'roleCount', width: 80, align: 'right' },
            {
              title: '启用',
              dataIndex: 'enabled',
              width: 80,
              render: (enabled: boolean) => <Enabled value={enabled} />,
            },
            {
              title: '操作',
              dataIndex: 'actions',
              width: 180,
              render: (_: unknown, permission: Permission) => (
                <RowActions
                  actions={[
                    { label: '编辑', do: editPermission, onClick: () => form.open(permission) },
                    step(switchPermission, {
                      label: permission.enabled ? '停用' : '启用',
                      danger: permission.enabled,
                      with: { query: { id: permission.id, enabled: !permission.enabled } },
                      confirm: permission.enabled
                        ? {
                            title: `停用权限“${permission.permissionName}”？`,
                            content: `${permission.roleCount}个角色会立即失去它，除非它还挂在别的菜单下。`,
                          }
                        : undefined,
                      done: permission.enabled ? '已停用权限' : '已启用权限',
                      undo: () =>
                        undoBy(switchPermission, { query: { id: permission.id, enabled: permission.enabled } }),
                    }),
                    step(deletePermission, {
                      label: '删除',
                      danger: true,
                      with: { query: { id: permission.id } },
                      confirm: {
                        title: `删除权限“${permission.permissionName}”？`,
                        content: `会从${permission.roleCount}个角色中一并去掉。`,
                      },
                      done: '已删除权限',
                    }),
                  ]}
                />
              ),
            },
          ]}
        />
      )}
      <PermissionForm key={form.key} {...form.props} menuId={menuId} />
    </Drawer>
  )
}

const Field = fieldsOf(savePermission)

const PermissionForm = ({ record, menuId, ...drawer }: DrawerProps<Permission> & { menuId: number }) => (
  <FormDrawer<Permission, { id: number }>
    {...drawer}
    record={record}
    title={record ? `编辑权限 ${record.permissionName}` : '新增权限'}
    width={480}
    action={(permission) =>
      permission
        ? formAction(editPermission, '已保存权限', permission)
        : formAction(savePermission, '已新增权限', { menuId })
    }
    reload={(permission) => call(viewPermission, { query: { id: permission.id } })}
  >
    <Field name="permissionName" />
    <Field
      name="permissionCode"
      disabled={record !== undefined}
      help={record ? '标识不能修改，请新增' : '须是系统中已有的标识，例如 adult:pc:site:list'}
    />
  </FormDrawer>
)
