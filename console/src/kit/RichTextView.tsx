import { createElement, Fragment, type ReactNode } from 'react'
import './RichText.css'

/** What the server keeps of a rich text (`infra::rich_text`). */
const TAGS = new Set(['p', 'br', 'b', 'i', 'u', 'strong', 'em', 'sub', 'sup', 'ul', 'li'])

/** Where a link may lead. */
export const isWebAddress = (text: string) => /^https?:\/\/\S+$/i.test(text) && URL.canParse(text)

/** What a text holds besides: the element of ours for one that came, none for what stays unknown. */
export type AlsoShown = (tag: string, element: Element, inside: readonly ReactNode[]) => ReactNode | undefined

const inside = (node: Node, also?: AlsoShown): ReactNode[] => [...node.childNodes].map((each) => shown(each, also))

/** A node as an element of ours: a tag that is not known shows nothing, an attribute that is not known is not taken over. */
const shown = (node: Node, also?: AlsoShown): ReactNode => {
  if (node.nodeType === Node.TEXT_NODE) return node.textContent
  if (!(node instanceof Element)) return null
  const tag = node.tagName.toLowerCase()
  const more = also?.(tag, node, inside(node, also))
  if (more !== undefined) return more
  if (TAGS.has(tag)) return createElement(tag, null, ...inside(node, also))
  if (tag === 'ol') return createElement(tag, { start: Number(node.getAttribute('start') ?? 1) }, ...inside(node, also))
  if (tag !== 'a') return null
  const href = node.getAttribute('href') ?? ''
  return isWebAddress(href)
    ? createElement(tag, { href, target: '_blank', rel: 'noopener noreferrer nofollow' }, ...inside(node, also))
    : createElement(Fragment, null, ...inside(node, also))
}

/** A rich text to be read: what the server cleaned, built anew tag by tag, so that no markup is ever taken as it came. */
export const RichTextView = ({ html, also }: { html: string; also?: AlsoShown }) => {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  return createElement('div', { className: 'rich-text-view' }, ...inside(body, also))
}
