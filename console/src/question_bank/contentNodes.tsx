import { goToNextCell, tableEditing } from '@tiptap/pm/tables'
import {
  type Extensions,
  mergeAttributes,
  Node,
  NodeViewWrapper,
  type ReactNodeViewProps,
  ReactNodeViewRenderer,
} from '@tiptap/react'
import { Picture } from '@/kit/pictureNode'
import { Formula } from './Formula'

/** What a question can hold beside marks and lists: pictures, formulas and tables, as the server keeps them. */

const FormulaView = ({ node }: ReactNodeViewProps) => (
  <NodeViewWrapper as="span" className="content-atom">
    <Formula tex={String(node.attrs.tex)} />
  </NodeViewWrapper>
)

const Tex = Node.create({
  name: 'formula',
  group: 'inline',
  inline: true,
  atom: true,
  addAttributes: () => ({
    tex: {
      default: '',
      parseHTML: (element) => element.getAttribute('data-tex') ?? '',
      renderHTML: ({ tex }) => ({ 'data-tex': tex }),
    },
  }),
  parseHTML: () => [{ tag: 'span[data-tex]' }],
  // Whoever draws no formulas reads what was typed.
  renderHTML: ({ node, HTMLAttributes }) => ['span', HTMLAttributes, String(node.attrs.tex)],
  renderText: ({ node }) => String(node.attrs.tex),
  addNodeView: () => ReactNodeViewRenderer(FormulaView),
})

/** By what the commands of tables know the parts of one. */
const roles: Readonly<Record<string, string>> = { table: 'table', tableRow: 'row', tableCell: 'cell' }

const Table = Node.create({
  name: 'table',
  group: 'block',
  content: 'tableRow+',
  isolating: true,
  extendNodeSchema: ({ name }) => (roles[name] ? { tableRole: roles[name] } : {}),
  parseHTML: () => [{ tag: 'table' }],
  renderHTML: () => ['table', ['tbody', 0]],
  addProseMirrorPlugins: () => [tableEditing()],
  addKeyboardShortcuts() {
    const go = (by: 1 | -1) => () => goToNextCell(by)(this.editor.state, this.editor.view.dispatch)
    return { Tab: go(1), 'Shift-Tab': go(-1) }
  },
})

const TableRow = Node.create({
  name: 'tableRow',
  content: 'tableCell+',
  parseHTML: () => [{ tag: 'tr' }],
  renderHTML: () => ['tr', 0],
})

const TableCell = Node.create({
  name: 'tableCell',
  content: 'block+',
  isolating: true,
  // Cells are never joined: the server keeps none that are.
  addAttributes: () => ({
    colspan: { default: 1, parseHTML: () => 1, renderHTML: () => ({}) },
    rowspan: { default: 1, parseHTML: () => 1, renderHTML: () => ({}) },
    colwidth: { default: null, parseHTML: () => null, renderHTML: () => ({}) },
  }),
  parseHTML: () => [{ tag: 'td' }, { tag: 'th' }],
  renderHTML: ({ HTMLAttributes }) => ['td', mergeAttributes(HTMLAttributes), 0],
})

export const contentNodes: Extensions = [Picture, Tex, Table, TableRow, TableCell]
