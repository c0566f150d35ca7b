import type { Leaf } from '@/kit/menus'

/** What the palette offers. Pure: the palette asks for students and shows it. */

const MOST = 12

/** How well a page fits what was typed, 0 best; none when it does not. */
const rankOf = ({ title, above, path, pinyin, initials }: Leaf, wanted: string) => {
  const spelt = wanted.replaceAll(' ', '')
  const fits = [
    title.toLowerCase().startsWith(wanted),
    initials.startsWith(spelt) || pinyin.startsWith(spelt),
    title.toLowerCase().includes(wanted),
    initials.includes(spelt) || pinyin.includes(spelt),
    above.includes(wanted),
    path.toLowerCase().includes(wanted),
  ].indexOf(true)
  return fits < 0 ? undefined : fits
}

/** Pages by name, 全拼, 拼音首字母, directory or path; starred ones first, then the better fit. */
export const matching = (leaves: readonly Leaf[], text: string, starred: readonly string[]): Leaf[] => {
  const wanted = text.trim().toLowerCase()
  return leaves
    .flatMap((leaf) => {
      const rank = rankOf(leaf, wanted)
      return rank === undefined ? [] : [{ leaf, order: rank - (starred.includes(leaf.path) ? MOST : 0) }]
    })
    .sort((a, b) => a.order - b.order)
    .slice(0, MOST)
    .map(({ leaf }) => leaf)
}

/** What stands there before anything is typed: what was starred, then what was opened last, else the first pages. */
export const offered = (leaves: readonly Leaf[], starred: readonly string[], recent: readonly string[]) => {
  const named = (paths: readonly string[]) => paths.flatMap((path) => leaves.find((leaf) => leaf.path === path) ?? [])
  const favourites = named(starred)
  const others = named(recent.filter((path) => !starred.includes(path)))
  const pages = favourites.length + others.length > 0 ? [] : leaves.slice(0, MOST)
  return { favourites, recent: others, pages }
}
