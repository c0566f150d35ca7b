import { createElement, Fragment, type ReactNode } from 'react'
import './RichText.css'

/** What the server keeps of a rich text (`infra::rich_text`). */
const TAGS = new Set(['p', 'br', 'b', 'i', 'u', 'strong', 'em', 'sub', 'sup', 'ul', 'li'])

/** Where a link may lead. */
export const isWebAddress = (text: string) => /^https?:\/\/\S+$/i.test(text) && URL.canParse(text)

const inside = (node: Node): ReactNode[] => [...node.childNodes].map(shown)

/** A node as an element of ours: a tag that is not known shows nothing, an attribute that is not known is not taken over. */
const shown = (node: Node): ReactNode => {
  if (node.nodeType === Node.TEXT_NODE) return node.textContent
  if (!(node instanceof Element)) return null
  const tag = node.tagName.toLowerCase()
  if (TAGS.has(tag)) return createElement(tag, null, ...inside(node))
  if (tag === 'ol') return createElement(tag, { start: Number(node.getAttribute('start') ?? 1) }, ...inside(node))
  if (tag !== 'a') return null
  const href = node.getAttribute('href') ?? ''
  return isWebAddress(href)
    ? createElement(tag, { href, target: '_blank', rel: 'noopener noreferrer nofollow' }, ...inside(node))
    : createElement(Fragment, null, ...inside(node))
}

/** A rich text to be read: what the server cleaned, built anew tag by tag, so that no markup is ever taken as it came. */
export const RichTextView = ({ html }: { html: string }) => {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  return createElement('div', { className: 'rich-text-view' }, ...inside(body))
}
