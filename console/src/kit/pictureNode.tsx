import { Node, NodeViewWrapper, type ReactNodeViewProps, ReactNodeViewRenderer } from '@tiptap/react'
import { useMedia } from './media'

const PictureView = ({ node }: ReactNodeViewProps) => {
  const { urlOf } = useMedia()
  const key = String(node.attrs.key ?? '')
  const alt = String(node.attrs.alt || '图片')
  const url = urlOf(key)
  return (
    <NodeViewWrapper as="span" className="content-atom">
      {url ? <img src={url} alt={alt} width={node.attrs.width ?? undefined} /> : `［${alt}］`}
    </NodeViewWrapper>
  )
}

/** A picture among the words, by the key of its file; where that is, `MediaOf` knows. */
export const Picture = Node.create({
  name: 'picture',
  group: 'inline',
  inline: true,
  atom: true,
  draggable: true,
  addAttributes: () => ({
    key: {
      default: null,
      parseHTML: (element) => element.getAttribute('data-key'),
      renderHTML: ({ key }) => ({ 'data-key': key }),
    },
    alt: { default: '' },
    width: { default: null },
  }),
  parseHTML: () => [{ tag: 'img[data-key]' }],
  renderHTML: ({ HTMLAttributes }) => ['img', HTMLAttributes],
  addNodeView: () => ReactNodeViewRenderer(PictureView),
})
