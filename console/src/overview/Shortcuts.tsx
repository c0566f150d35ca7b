import { Button, Modal, Select } from '@arco-design/web-react'
import { IconEdit } from '@arco-design/web-react/icon'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { call } from '@/api/client'
import { tellSuccess } from '@/api/errors'
import { useIdentity } from '@/api/identity'
import type { RowOf } from '@/api/operation'
import { MenuIcon } from '@/kit/icons'
import { leavesOf } from '@/kit/menus'
import { paths } from '@/paths'
import { saveShortcuts } from './api'

type Shortcut = RowOf<typeof saveShortcuts>

const MOST = 8

/** Chooses pages of one's own menu, in order. */
const Choose = ({ chosen, query, onClose }: { chosen: readonly Shortcut[]; query: string; onClose: () => void }) => {
  const menus = useIdentity((state) => state.menus) ?? []
  const [wanted, setWanted] = useState(chosen.map(({ path }) => path))
  const client = useQueryClient()
  const saving = useMutation({
    mutationFn: () => call(saveShortcuts, { body: { paths: wanted } }),
    onSuccess: () => {
      tellSuccess('已保存快捷入口')
      client.invalidateQueries({ queryKey: [query] })
      onClose()
    },
  })
  const pages = leavesOf(menus).filter(({ path }) => path !== paths.home)
  return (
    <Modal
      title="设置快捷入口"
      style={{ width: 520 }}
      visible
      okText="保存"
      cancelText="取消"
      confirmLoading={saving.isPending}
      onOk={() => saving.mutate()}
      onCancel={onClose}
    >
      <p className="dialog-lead">最多 {MOST} 个，按选择的顺序显示。</p>
      <Select
        aria-label="快捷入口"
        mode="multiple"
        allowClear
        showSearch
        value={wanted}
        onChange={(paths: string[]) => setWanted(paths.slice(0, MOST))}
      >
        {pages.map(({ path, title, above }) => (
          <Select.Option key={path} value={path} disabled={wanted.length >= MOST && !wanted.includes(path)}>
            {above ? `${title}（${above}）` : title}
          </Select.Option>
        ))}
      </Select>
    </Modal>
  )
}

/** 快捷入口: pages that a person keeps at hand. */
export const Shortcuts = ({ shortcuts, query }: { shortcuts: readonly Shortcut[]; query: string }) => {
  const [choosing, setChoosing] = useState(false)
  return (
    <section aria-label="快捷入口">
      <h2>
        快捷入口
        <Button size="mini" type="text" icon={<IconEdit />} onClick={() => setChoosing(true)}>
          设置
        </Button>
      </h2>
      {shortcuts.length === 0 && <p className="overview-small">还没有快捷入口，点击“设置”选择常用页面。</p>}
      <ul className="overview-shortcuts">
        {shortcuts.map(({ path, title, icon }) => (
          <li key={path}>
            <Link className="overview-link" to={path}>
              <MenuIcon name={icon} /> {title}
            </Link>
          </li>
        ))}
      </ul>
      {choosing && <Choose chosen={shortcuts} query={query} onClose={() => setChoosing(false)} />}
    </section>
  )
}
