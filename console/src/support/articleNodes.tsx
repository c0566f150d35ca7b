import { type Extensions, Node } from '@tiptap/react'
import { Picture } from '@/kit/pictureNode'

/** Headings of an article, of which its table of contents is made; what is pasted bigger becomes the bigger one. */
const Heading = Node.create({
  name: 'heading',
  group: 'block',
  content: 'inline*',
  defining: true,
  addAttributes: () => ({ level: { default: 2, rendered: false } }),
  parseHTML: () => [
    { tag: 'h1', attrs: { level: 2 } },
    { tag: 'h2', attrs: { level: 2 } },
    { tag: 'h3', attrs: { level: 3 } },
  ],
  renderHTML: ({ node }) => [`h${node.attrs.level}`, 0],
})

/** What an article can hold beside marks, lists and links, as the server keeps it (`support_rules::text`). */
export const articleNodes: Extensions = [Heading, Picture]
