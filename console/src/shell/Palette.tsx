import { Input } from '@arco-design/web-react'
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { useIdentity } from './identity'
import { type Leaf, leavesOf } from './menus'
import { recentPaths } from './recent'

const MOST = 12

/** Pages whose name or path has the text; without a text the ones opened last. */
const matching = (leaves: readonly Leaf[], text: string) => {
  const wanted = text.trim().toLowerCase()
  if (!wanted) {
    const recent = recentPaths().flatMap((path) => leaves.find((leaf) => leaf.path === path) ?? [])
    return recent.length > 0 ? recent : leaves.slice(0, MOST)
  }
  return leaves
    .filter(({ title, path, above }) => [title, above, path.toLowerCase()].some((part) => part.includes(wanted)))
    .slice(0, MOST)
}

/** Ctrl+K: every page by its name, from anywhere. */
export const Palette = () => {
  const menus = useIdentity((state) => state.menus) ?? []
  const navigate = useNavigate()
  const listId = useId()
  const [open, setOpen] = useState(false)
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const dialog = useRef<HTMLDialogElement>(null)

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'k') return
      event.preventDefault()
      setText('')
      setAt(0)
      setOpen(true)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])

  useLayoutEffect(() => {
    const element = dialog.current
    if (!open || !element) return
    element.showModal()
    return () => element.close()
  }, [open])

  const found = open ? matching(leavesOf(menus), text) : []
  const go = (leaf: Leaf | undefined) => {
    if (!leaf) return
    setOpen(false)
    navigate(leaf.path)
  }
  const onKeyDown = (event: React.KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) {
      event.preventDefault()
      setAt((at + step + found.length) % Math.max(1, found.length))
    }
    if (event.key === 'Enter' && !event.nativeEvent.isComposing) go(found[at])
  }

  return (
    // The browser's own dialog: an open drawer of Arco's keeps the focus to itself, and would get the first letters.
    <dialog
      ref={dialog}
      className="palette"
      aria-label="查找菜单"
      onClose={() => setOpen(false)}
      onPointerDown={(event) => event.target === event.currentTarget && setOpen(false)}
    >
      {open && (
        <>
          <Input
            size="large"
            autoFocus
            placeholder="输入菜单名称，回车打开"
            aria-label="查找菜单"
            role="combobox"
            aria-expanded
            aria-controls={listId}
            aria-activedescendant={found[at] ? `${listId}-${at}` : undefined}
            value={text}
            onChange={(value) => {
              setText(value)
              setAt(0)
            }}
            onKeyDown={onKeyDown}
          />
          <div id={listId} role="listbox" aria-label="菜单" className="palette-list">
            {found.map((leaf, index) => (
              <button
                key={leaf.path}
                id={`${listId}-${index}`}
                type="button"
                role="option"
                tabIndex={-1}
                aria-selected={index === at}
                onMouseEnter={() => setAt(index)}
                onClick={() => go(leaf)}
              >
                <span>{leaf.title}</span>
                <small>{leaf.above}</small>
              </button>
            ))}
          </div>
          {found.length === 0 && <p className="palette-none">没有找到“{text}”，请换一个词</p>}
        </>
      )}
    </dialog>
  )
}
