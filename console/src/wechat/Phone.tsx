import { useState } from 'react'
import type { Node } from './MenuForm'
import { refusalBelow, refusalFirst } from './menus'
import './wechat.css'

interface PhoneProps {
  menus: readonly Node[]
  /** Opens the form of an entry; none for those who may only look. */
  edit?: (menu: Node) => void
  /** A new entry, below another or in the bar. */
  add?: (below?: Node) => void
}

/** 手机预览: the menu as followers see it, to be pressed and extended. */
export const Phone = ({ menus, edit, add }: PhoneProps) => {
  const [openId, setOpen] = useState<number>()
  const open = menus.find(({ id }) => id === openId)
  const press = (menu: Node) => setOpen(menu.id === openId ? undefined : menu.id)
  return (
    <section className="gzh-phone" aria-label="手机预览">
      <p className="gzh-phone-head">公众号</p>
      <div className="gzh-phone-body">
        {open && (
          <div className="gzh-phone-popup">
            {open.children.map((entry) => (
              <button key={entry.id} type="button" disabled={!edit} onClick={() => edit?.(entry)}>
                {entry.name}
              </button>
            ))}
            {add && !refusalBelow(open) && (
              <button type="button" onClick={() => add(open)}>
                ＋ 新增下级
              </button>
            )}
            {edit && (
              <button type="button" onClick={() => edit(open)}>
                编辑“{open.name}”
              </button>
            )}
          </div>
        )}
      </div>
      <div className="gzh-phone-bar">
        {menus.map((menu) => (
          <button key={menu.id} type="button" aria-expanded={menu.id === openId} onClick={() => press(menu)}>
            {menu.name}
          </button>
        ))}
        {add && !refusalFirst(menus) && (
          <button type="button" aria-label="新增一级菜单" onClick={() => add()}>
            ＋
          </button>
        )}
      </div>
    </section>
  )
}
