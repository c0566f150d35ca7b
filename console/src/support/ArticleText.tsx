import { createElement } from 'react'
import { type AlsoShown, RichTextView } from '@/kit/RichTextView'
import './support.css'

/** The element of a heading, to which the table of contents leads. */
export const headingOf = (at: number) => `help-heading-${at}`

const WIDEST_PX = 2000

/** The width that a picture was given. */
const widthOf = (element: Element) => {
  const width = Number(element.getAttribute('width'))
  return width > 0 && width <= WIDEST_PX ? width : undefined
}

/** Headings and pictures beside what every text has. Headings are met in their order. */
const alsoOf = (pictures: ReadonlyMap<string, string>): AlsoShown => {
  let headings = 0
  return (tag, element, inside) => {
    if (tag === 'h2' || tag === 'h3') {
      const id = headingOf(headings)
      headings += 1
      return createElement(tag, { id }, ...inside)
    }
    const key = element.getAttribute('data-key')
    if (tag !== 'img' || !key) return undefined
    const alt = element.getAttribute('alt') || '图片'
    const url = pictures.get(key)
    return url ? (
      <img src={url} alt={alt} width={widthOf(element)} loading="lazy" />
    ) : (
      <span className="nothing">［{alt}］</span>
    )
  }
}

interface ArticleTextProps {
  html: string
  pictures: readonly { key: string; url: string }[]
}

/** The text of an article to be read. */
export const ArticleText = ({ html, pictures }: ArticleTextProps) => (
  <div className="article-text">
    <RichTextView html={html} also={alsoOf(new Map(pictures.map(({ key, url }) => [key, url])))} />
  </div>
)
