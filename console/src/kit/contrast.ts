/** The WCAG contrast of two colours, and a brand colour that white words can be read on, or that can be read itself. */

const channels = (hex: string) => {
  const text = hex.replace('#', '')
  return [0, 2, 4].map((at) => Number.parseInt(text.slice(at, at + 2), 16))
}

const luminance = (hex: string) => {
  const [red = 0, green = 0, blue = 0] = channels(hex).map((value) => {
    const share = value / 255
    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

export const contrast = (one: string, other: string) => {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05)
}

/** What small text needs (WCAG AA). */
export const READABLE = 4.5

const darker = (hex: string) =>
  `#${channels(hex)
    .map((value) =>
      Math.floor(value * 0.94)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`

/** The colour itself, or the nearest darker one on which white text is readable. */
export const readableUnderWhite = (hex: string): string =>
  contrast(hex, '#ffffff') >= READABLE ? hex : readableUnderWhite(darker(hex))

/** The darkest ground on which words stand in a school's colour: the chosen entry of the menu, in the light theme. */
const GROUND = '#f2f3f5'

/** The colour itself, or the nearest darker one in which words are readable on every light ground. */
export const readableOnLight = (hex: string): string =>
  contrast(hex, GROUND) >= READABLE ? hex : readableOnLight(darker(hex))

export const isColour = (text: string | null | undefined): text is string => /^#[0-9a-f]{6}$/i.test(text ?? '')
