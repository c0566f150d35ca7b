import { Input } from '@arco-design/web-react'
import { IconSearch, IconStar, IconStarFill } from '@arco-design/web-react/icon'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useId, useLayoutEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { create } from 'zustand'
import { useIdentity } from '@/api/identity'
import { type Leaf, leavesOf, pageOf } from '@/kit/menus'
import { standingAt, useTabs } from '@/kit/tabs'
import { useDrawer } from '@/kit/useDrawer'
import { useSettled } from '@/kit/useSettled'
import { paths } from '@/paths'
import { EnterSchool } from '@/schools/EnterSchool'
import type { FoundSchool } from '@/schools/find'
import { useFavourites } from './favourites'
import { matching, offered } from './finding'
import { recentPaths } from './recent'

/** One line of the palette. `path` is there for pages, which can be starred; `school` where one goes into it. */
interface Entry {
  key: string
  title: string
  about: string
  to: string
  path?: string
  school?: FoundSchool
}

interface Group {
  title: string
  entries: readonly Entry[]
}

/** So many characters are asked for before anything but pages is searched. */
const LEAST = 2

/** What a room finds of what was typed; it is asked where the person has its page, and loaded only then. */
const useFound = <Found,>(
  page: string,
  text: string,
  find: (wanted: string, signal: AbortSignal) => Promise<Found[]>,
): Found[] => {
  const menus = useIdentity((state) => state.menus) ?? []
  const wanted = useSettled(text).trim()
  const { data } = useQuery({
    queryKey: ['palette', page, wanted],
    queryFn: ({ signal }) => find(wanted, signal),
    enabled: wanted.length >= LEAST && pageOf(menus, page) !== undefined,
    placeholderData: keepPreviousData,
  })
  return text.trim().length >= LEAST ? (data ?? []) : []
}

/** Students of the school one is in. */
const useStudents = (text: string) =>
  useFound(paths.students, text, async (wanted, signal) =>
    (await import('@/student_status/find')).findStudents(wanted, signal),
  )

/** Schools, for operators. */
const useSchools = (text: string) =>
  useFound(paths.schools, text, async (wanted, signal) => (await import('@/schools/find')).findSchools(wanted, signal))

/** Learners of the operators' site. */
const useLearners = (text: string) =>
  useFound(paths.learners, text, async (wanted, signal) =>
    (await import('@/learners/find')).findLearners(wanted, signal),
  )

/** What they bought. */
const useOrders = (text: string) =>
  useFound(paths.orders, text, async (wanted, signal) => (await import('@/orders/find')).findOrders(wanted, signal))

const pageEntry = (leaf: Leaf): Entry => ({
  key: leaf.path,
  title: leaf.title,
  about: leaf.above,
  to: leaf.path,
  path: leaf.path,
})

const useGroups = (text: string): Group[] => {
  const menus = useIdentity((state) => state.menus) ?? []
  const starred = useFavourites((state) => state.starred)
  const students = useStudents(text)
  const schools = useSchools(text)
  const learners = useLearners(text)
  const orders = useOrders(text)
  const leaves = leavesOf(menus)
  const { favourites, recent, pages } = text.trim()
    ? { favourites: [], recent: [], pages: matching(leaves, text, starred) }
    : offered(leaves, starred, recentPaths())
  const groups = [
    { title: '收藏', entries: favourites.map(pageEntry) },
    { title: '最近打开', entries: recent.map(pageEntry) },
    { title: '菜单', entries: pages.map(pageEntry) },
    {
      title: '学生',
      entries: students.map(({ id, name, about, to }) => ({ key: `student-${id}`, title: name, about, to })),
    },
    {
      title: '院校',
      entries: schools.map((school) => ({
        key: `school-${school.id}`,
        title: school.name,
        about: school.about,
        to: school.to,
        school: school.enters ? school : undefined,
      })),
    },
    {
      title: '学员',
      entries: learners.map(({ id, name, about, to }) => ({ key: `learner-${id}`, title: name, about, to })),
    },
    {
      title: '订单',
      entries: orders.map(({ id, name, about, to }) => ({ key: `order-${id}`, title: name, about, to })),
    },
  ]
  return groups.filter(({ entries }) => entries.length > 0)
}

interface FinderProps {
  onEnter: (school: FoundSchool) => void
  onClose: () => void
}

const Finder = ({ onEnter, onClose }: FinderProps) => {
  const navigate = useNavigate()
  const listId = useId()
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const { starred, toggle } = useFavourites()
  const groups = useGroups(text)
  const placeholder = useWords().placeholder
  const found = groups.flatMap(({ entries }) => entries)
  const optionId = (index: number) => `${listId}-${index}`
  const go = (entry: Entry | undefined) => {
    if (!entry) return
    onClose()
    if (entry.school) onEnter(entry.school)
    else navigate(entry.path ? standingAt(useTabs.getState(), entry.path) : entry.to)
  }
  const move = (to: number) => {
    setAt(to)
    document.getElementById(optionId(to))?.scrollIntoView({ block: 'nearest' })
  }
  const onKeyDown = (event: React.KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) {
      event.preventDefault()
      move((at + step + found.length) % Math.max(1, found.length))
    }
    if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      // The key is spent: what has the focus again when the palette is gone is not pressed by it.
      event.preventDefault()
      go(found[at])
    }
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'd') {
      event.preventDefault()
      const path = found[at]?.path
      if (path) toggle(path)
    }
  }
  return (
    <>
      <Input
        size="large"
        autoFocus
        placeholder={placeholder}
        aria-label="查找菜单"
        role="combobox"
        aria-expanded
        aria-controls={listId}
        aria-activedescendant={found[at] ? optionId(at) : undefined}
        value={text}
        onChange={(value) => {
          setText(value)
          setAt(0)
        }}
        onKeyDown={onKeyDown}
      />
      <div id={listId} role="listbox" aria-label="查找结果" className="palette-list">
        {groups.map(({ title, entries }) => (
          <fieldset key={title} aria-label={title}>
            <div className="palette-group" aria-hidden="true">
              {title}
            </div>
            {entries.map((entry) => {
              const index = found.indexOf(entry)
              return (
                <button
                  key={entry.key}
                  id={optionId(index)}
                  type="button"
                  role="option"
                  tabIndex={-1}
                  aria-selected={index === at}
                  onMouseMove={() => setAt(index)}
                  onClick={(event) => {
                    const star = event.target instanceof Element && event.target.closest('.palette-star')
                    if (star && entry.path) toggle(entry.path)
                    else go(entry)
                  }}
                >
                  <span>{entry.title}</span>
                  <small>{entry.about}</small>
                  {entry.path && <Star on={starred.includes(entry.path)} />}
                </button>
              )
            })}
          </fieldset>
        ))}
      </div>
      {found.length === 0 && <p className="palette-none">没有找到“{text}”，请换一个词</p>}
      <p className="palette-keys">↑ ↓ 选择，回车打开，Ctrl+D 收藏或取消收藏，Esc 关闭</p>
    </>
  )
}

/** For the mouse; by keyboard it is Ctrl+D. */
const Star = ({ on }: { on: boolean }) => (
  <span className={on ? 'palette-star on' : 'palette-star'} title={on ? '取消收藏' : '收藏'}>
    {on ? <IconStarFill /> : <IconStar />}
  </span>
)

/** Whether the palette is open: by the key, or by the field in the top bar. */
const usePalette = create(() => ({ open: false }))
const setOpen = (open: boolean) => usePalette.setState({ open })

/** What this person finds, in the words of the field. */
const useWords = () => {
  const menus = useIdentity((state) => state.menus) ?? []
  const name = '菜单名称、拼音或首字母'
  if (pageOf(menus, paths.students)) {
    return { search: '搜索学生、菜单', placeholder: `${name}；学生姓名、学号、身份证号` }
  }
  const kinds = [
    { page: paths.schools, what: '院校', by: '院校名称或代码' },
    { page: paths.learners, what: '学员', by: '学员手机号' },
    { page: paths.orders, what: '订单', by: '订单号' },
  ].filter(({ page }) => pageOf(menus, page))
  return {
    search: `搜索${[...kinds.map(({ what }) => what), '菜单'].join('、')}`,
    placeholder: [name, ...kinds.map(({ by }) => by)].join('；'),
  }
}

/** Looks like a field to search in, and opens the palette. */
export const PaletteButton = () => {
  const words = useWords().search
  return (
    <button type="button" className="topbar-search" aria-label={`${words}，Ctrl K`} onClick={() => setOpen(true)}>
      <IconSearch />
      <span className="topbar-words">{words}</span>
      <kbd className="topbar-words">Ctrl K</kbd>
    </button>
  )
}

/**
 * Ctrl+K: every page by its name, in a school every student, and for operators every school, and the learners and orders of their
 * site by phone or number, from anywhere.
 */
export const Palette = () => {
  const open = usePalette((state) => state.open)
  const entry = useDrawer<FoundSchool>()
  const dialog = useRef<HTMLDialogElement>(null)

  // Before the first paint: who sees the menu may type at once, and would get the browser's own Ctrl+K.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'k') return
      event.preventDefault()
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

  return (
    // The browser's own dialog: an open drawer of Arco's keeps the focus to itself, and would get the first letters.
    <>
      <dialog
        ref={dialog}
        className="palette"
        aria-label="查找菜单"
        onClose={() => setOpen(false)}
        onPointerDown={(event) => event.target === event.currentTarget && setOpen(false)}
      >
        {open && <Finder onEnter={entry.open} onClose={() => setOpen(false)} />}
      </dialog>
      <EnterSchool key={entry.key} {...entry.props} />
    </>
  )
}
