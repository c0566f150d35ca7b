import { TreeSelect } from '@arco-design/web-react'
import type { RowOf } from '@/api/operation'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import type { DrawerProps } from '@/kit/useDrawer'
import { SchoolsSelect } from '@/schools/SchoolsSelect'
import { editClientMenu, type listStudentMenus, saveClientMenu } from './api'

export type Client = 'student' | 'teacher' | 'site'

type ClientMenu = RowOf<typeof listStudentMenus>

/** A menu that is edited, or the one under which a new one is to hang. */
export interface MenuDraft {
  menu?: ClientMenu
  below?: ClientMenu
}

const Field = fieldsOf(saveClientMenu)

interface ParentProps {
  menus: readonly ClientMenu[]
  value?: number | null
  onChange?: (id: number | undefined) => void
}

const choices = (nodes: readonly ClientMenu[]): object[] =>
  nodes.map((node) => ({ key: String(node.id), title: node.name, children: choices(node.children) }))

const Parent = ({ menus, value, onChange }: ParentProps) => (
  <TreeSelect
    aria-label="上级菜单"
    allowClear
    placeholder="一级菜单"
    treeData={choices(menus)}
    value={value ? String(value) : undefined}
    onChange={(id?: string) => onChange?.(id ? Number(id) : undefined)}
  />
)

interface ClientMenuFormProps extends DrawerProps<MenuDraft> {
  client: Client
  menus: readonly ClientMenu[]
}

export const ClientMenuForm = ({ record, client, menus, ...drawer }: ClientMenuFormProps) => {
  const menu = record?.menu
  const initial = {
    clientKind: client,
    parentId: record?.below?.id,
    openKind: 'page' as const,
    schoolIds: record?.below?.schoolIds ?? [],
    sort: 1,
    enabled: true,
  }
  return (
    <FormDrawer<ClientMenu, { id: number }>
      {...drawer}
      record={menu}
      title={menu ? `编辑菜单 ${menu.name}` : '新增菜单'}
      initial={initial}
      action={(edited) =>
        formAction(
          edited ? editClientMenu : saveClientMenu,
          edited ? '已保存菜单' : '已新增菜单',
          edited ?? { clientKind: client },
        )
      }
    >
      <Field name="parentId" help="留空为一级菜单，最多三级">
        <Parent menus={menus} />
      </Field>
      <Field name="name" />
      <Field name="openKind" />
      <Field name="path" />
      <Field name="icon" />
      <Field name="permissionKey" />
      <Field name="schoolIds">
        <SchoolsSelect />
      </Field>
      <Field name="sort" />
      <Field name="enabled" />
    </FormDrawer>
  )
}
