import { createElement, type ReactNode } from 'react'
import { type Media, useMedia } from '@/kit/media'
import { type AlsoShown, RichTextView } from '@/kit/RichTextView'
import { Formula } from './Formula'
import './questionBank.css'

/** A table and its parts, without what they came with. */
const PARTS = new Set(['table', 'tbody', 'tr', 'td'])
const WIDEST_PX = 2000

/** The width that a picture was given. */
const widthOf = (element: Element) => {
  const width = Number(element.getAttribute('width'))
  return width > 0 && width <= WIDEST_PX ? width : undefined
}

const also =
  ({ urlOf }: Media): AlsoShown =>
  (tag, element, inside): ReactNode | undefined => {
    if (PARTS.has(tag)) return createElement(tag, null, ...inside)
    const tex = element.getAttribute('data-tex')
    if (tag === 'span') return tex ? <Formula tex={tex} /> : createElement(tag, null, ...inside)
    const key = element.getAttribute('data-key')
    if (tag !== 'img' || !key) return undefined
    const alt = element.getAttribute('alt') || '图片'
    const url = urlOf(key)
    return url ? <img src={url} alt={alt} width={widthOf(element)} /> : <span className="nothing">［{alt}］</span>
  }

/** A stem, an option, an analysis to be read. */
export const ContentView = ({ html }: { html: string }) => <RichTextView html={html} also={also(useMedia())} />
