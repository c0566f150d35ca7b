import { Form, TreeSelect } from '@arco-design/web-react'
import type { RowOf } from '@/api/operation'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import type { DrawerProps } from '@/kit/useDrawer'
import { editMenu, type listMenus, saveMenu } from '../api'
import { IconSelect } from './IconSelect'
import { type ParentNode, parentsOf } from './menuTree'

type Menu = RowOf<typeof listMenus>

/** A menu that is edited, or a new one at the top or below another. */
export interface MenuDraft {
  clientType: number
  menu?: Menu
  below?: Menu
}

interface MenuFormProps extends DrawerProps<MenuDraft> {
  menus: readonly Menu[]
  reload: (id: number) => Promise<Menu>
}

const Field = fieldsOf(saveMenu)

interface ParentSelectProps {
  nodes: ParentNode[]
  value?: number
  onChange?: (id: number) => void
}

const TOP = 0

const ParentSelect = ({ nodes, value, onChange }: ParentSelectProps) => (
  <TreeSelect
    aria-label="上级编号"
    showSearch
    filterTreeNode={(text, node) => String(node.props.title).includes(text)}
    treeData={[{ key: String(TOP), title: '（最上级）', children: [] }, ...nodes]}
    value={value === undefined ? undefined : String(value)}
    onChange={(key) => onChange?.(Number(key))}
  />
)

/** A page has a path, or shows an outside page; a directory has neither need. */
const Where = ({ builtIn }: { builtIn: boolean }) => {
  const { form } = Form.useFormContext()
  const type: string | undefined = Form.useWatch('menuType', form)
  const frame: string | undefined = Form.useWatch('frameUrl', form)
  return (
    <>
      {!frame && <Field name="path" disabled={builtIn} help={builtIn ? '内置菜单的路径由系统使用' : undefined} />}
      {type === 'page' && !builtIn && <Field name="frameUrl" help="填写后在控制台内打开这个网址，不再需要路径" />}
    </>
  )
}

export const MenuForm = ({ record, menus, reload, ...drawer }: MenuFormProps) => {
  const menu = record?.menu
  const below = record?.below
  const builtIn = menu?.builtIn ?? false
  return (
    <FormDrawer<Menu, { id: number }>
      {...drawer}
      record={menu}
      title={menu ? `编辑菜单 ${menu.menuName}` : '新增菜单'}
      initial={{
        parentId: below?.id ?? TOP,
        clientType: record?.clientType,
        menuType: below ? 'page' : 'directory',
        sort: 1,
        keepAlive: true,
      }}
      action={(edited) =>
        edited
          ? formAction(editMenu, '已保存菜单', edited)
          : formAction(saveMenu, '已新增菜单', { clientType: record?.clientType })
      }
      reload={(edited) => reload(edited.id)}
    >
      <Field name="parentId" label="上级">
        <ParentSelect nodes={parentsOf(menus, menu?.id)} />
      </Field>
      <Field name="menuType" disabled={builtIn} />
      <Field name="menuName" />
      <Where builtIn={builtIn} />
      <Field name="icon">
        <IconSelect />
      </Field>
      <Field name="sort" />
      <Field name="hidden" help="隐藏的页面可以打开，但不出现在左侧菜单中" />
      <Field name="keepAlive" help="切换标签页时保留页面的筛选和位置" />
      <Field name="remark" />
    </FormDrawer>
  )
}
