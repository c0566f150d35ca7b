import { Form, Select } from '@arco-design/web-react'
import type { BodyOf, RowOf } from '@/api/operation'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import type { DrawerProps } from '@/kit/useDrawer'
import { editGzhMenu, type listGzhMenus, saveGzhMenu } from './api'
import { fieldsOfAction, type MenuNode } from './menus'

export type Menu = RowOf<typeof listGzhMenus>['menus'][number]['children'][number]
export type Node = MenuNode<Menu>

/** An entry that is edited, or a new one, below another or in the bar. */
export interface MenuDraft {
  menu?: Node
  below?: Node
}

interface ParentSelectProps {
  parents: readonly Node[]
  value?: number | null
  onChange?: (id: number | undefined) => void
  'aria-label'?: string
}

const ParentSelect = ({ parents, value, ...select }: ParentSelectProps) => (
  <Select
    {...select}
    allowClear
    placeholder="一级菜单"
    value={value ?? undefined}
    options={parents.map(({ id, name }) => ({ value: id, label: name }))}
  />
)

const Field = fieldsOf(saveGzhMenu)

const helps: Partial<Record<ReturnType<typeof fieldsOfAction>[number], string>> = {
  menuKey: '点击后按“自动回复”中的关键词回复',
}

/** 菜单: a name, and what happens when it is pressed. */
export const MenuForm = ({ record, menus, ...drawer }: DrawerProps<MenuDraft> & { menus: readonly Node[] }) => {
  const menu = record?.menu
  const beside = record?.below?.children ?? menus
  // What has others below it stays in the bar.
  const parents =
    menu && menu.children.length > 0 ? [] : menus.filter(({ id, menuType }) => id !== menu?.id && !menuType)
  return (
    <FormDrawer<BodyOf<typeof saveGzhMenu>, { id: number }>
      {...drawer}
      record={menu}
      title={menu ? `编辑菜单 ${menu.name}` : '新增菜单'}
      initial={{ parentId: record?.below?.id, menuType: record?.below ? 'view' : undefined, sort: beside.length + 1 }}
      action={(edited) =>
        edited ? formAction(editGzhMenu, '已保存菜单', edited) : formAction(saveGzhMenu, '已新增菜单')
      }
    >
      <Field name="parentId">
        <ParentSelect parents={parents} />
      </Field>
      <Field name="name" />
      <Field
        name="menuType"
        placeholder="没有动作，点击后展开下级菜单"
        help={menu && menu.children.length > 0 ? '有下级的菜单不能设置动作' : undefined}
      />
      <Form.Item noStyle shouldUpdate>
        {({ menuType }: Partial<Menu>) =>
          fieldsOfAction(menuType).map((name) => <Field key={name} name={name} required help={helps[name]} />)
        }
      </Form.Item>
      <Field name="sort" />
    </FormDrawer>
  )
}
