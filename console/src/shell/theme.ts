import { create } from 'zustand'
import { isColour, readableOnLight, readableUnderWhite } from '@/kit/contrast'

/**
 * Light or dark, and the school's colour. Both stand on `body`, because Arco resolves its derived colours there and
 * because dialogs are its children.
 */

const KEY = 'theme'
export type Theme = 'light' | 'dark'

const preferred = (): Theme => {
  const chosen = localStorage.getItem(KEY)
  if (chosen === 'light' || chosen === 'dark') return chosen
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
}

interface ThemeState {
  theme: Theme
  brand: string
  toggle: () => void
  setBrand: (brand: string | null | undefined) => void
}

/** Arco's own blue. */
const DEFAULT_BRAND = '#165dff'

const SHADES = 10

/** The ten shades of a school's colour. The sign-in page has none, so the generator is loaded only where it is needed. */
const paintShades = async (theme: Theme, brand: string) => {
  const { generate } = await import('@arco-design/color')
  const words = theme === 'dark' ? readableUnderWhite(brand) : readableOnLight(brand)
  const shades = generate(words, { list: true, dark: theme === 'dark', format: 'rgb' })
  shades.forEach((shade, at) => {
    document.body.style.setProperty(`--primary-${at + 1}`, shade.match(/\d+/g)?.slice(0, 3).join(',') ?? '')
  })
}

const clearShades = () => {
  for (let at = 1; at <= SHADES; at += 1) document.body.style.removeProperty(`--primary-${at}`)
}

/** Filled parts keep one colour that carries white words in both themes; words and lines take the theme's. */
const paint = (theme: Theme, brand: string) => {
  const { body, documentElement } = document
  if (theme === 'dark') body.setAttribute('arco-theme', 'dark')
  else body.removeAttribute('arco-theme')
  documentElement.style.colorScheme = theme
  body.style.setProperty('--brand-fill', readableUnderWhite(brand))
  if (brand === DEFAULT_BRAND) clearShades()
  else paintShades(theme, brand)
}

export const useTheme = create<ThemeState>((set, get) => ({
  theme: 'light',
  brand: DEFAULT_BRAND,
  toggle: () => {
    const theme = get().theme === 'dark' ? 'light' : 'dark'
    localStorage.setItem(KEY, theme)
    paint(theme, get().brand)
    set({ theme })
  },
  setBrand: (brand) => {
    const colour = isColour(brand) ? brand : DEFAULT_BRAND
    paint(get().theme, colour)
    set({ brand: colour })
  },
}))

/** Paints the page before anything is shown. */
export const startTheme = () => {
  const theme = preferred()
  useTheme.setState({ theme })
  paint(theme, DEFAULT_BRAND)
}
