import { Button } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import type { ReactNode } from 'react'
import type { RowAction } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { formatNumber } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import { RowActions } from '@/kit/RowActions'
import { removal } from '@/kit/steps'
import { flat } from '@/kit/treeOrder'
import { useAction } from '@/kit/useAction'
import { useDrawer } from '@/kit/useDrawer'
import { type CategoryDraft, CategoryForm } from './CategoryForm'
import { useCategories } from './categories'
import type { Category, Desk, Source } from './desks'
import { shifted } from './supportRules'
import './support.css'

interface CategoryTreeProps {
  desk: Desk
  /** Whose categories; they are changed by those alone whose they are. */
  source: Source | undefined
  own: boolean
  /** Whether it says how many articles there are. */
  counted?: boolean
  value: number | undefined
  onChange: (id: number | undefined) => void
}

/** The categories to the left of a list: what is pressed is what the list is narrowed to. */
export const CategoryTree = ({ desk, source, own, counted = true, value, onChange }: CategoryTreeProps) => {
  const query = useCategories(desk, source)
  const form = useDrawer<CategoryDraft>()
  const sorting = useAction(desk.sortCategories, { done: '已调整顺序' })
  const roots = query.data ?? []

  const move = (sisters: readonly Category[], { id }: Category, by: 1 | -1): RowAction => {
    const ids = sisters.map((sister) => sister.id)
    const end = ids.at(by === 1 ? -1 : 0) === id
    const words = by === 1 ? '已在同级的最后面' : '已在同级的最前面'
    return {
      label: by === 1 ? '下移' : '上移',
      do: desk.sortCategories,
      disabled: end ? words : sorting.isPending ? '正在保存顺序' : undefined,
      onClick: () => sorting.mutate({ body: { ids: shifted(ids, id, by) } }),
    }
  }
  const actionsOf = (category: Category, sisters: readonly Category[]): RowAction[] => [
    { label: '编辑', do: desk.editCategory, onClick: () => form.open({ category }) },
    ...(category.parentId
      ? []
      : [{ label: '新增下级', do: desk.saveCategory, onClick: () => form.open({ below: category }) }]),
    move(sisters, category, -1),
    move(sisters, category, 1),
    removal(desk.removeCategory, category),
  ]
  const countOf = (nodes: readonly Category[]) =>
    counted ? flat(nodes).reduce((sum, { articles }) => sum + articles, 0) : undefined
  const leaves = (nodes: readonly Category[], depth: number): ReactNode =>
    nodes.map((category) => (
      <li key={category.id}>
        <div className="help-leaf-row">
          <Leaf
            words={category.enabled ? category.name : `${category.name}（停用）`}
            count={countOf([category])}
            depth={depth}
            on={value === category.id}
            onClick={() => onChange(category.id)}
          />
          {own && <RowActions folded actions={actionsOf(category, nodes)} />}
        </div>
        {category.children.length > 0 && <ul>{leaves(category.children, depth + 1)}</ul>}
      </li>
    ))

  return (
    <nav className="help-tree" aria-label="帮助分类">
      {own && (
        <Can do={desk.saveCategory}>
          <Button long icon={<IconPlus />} onClick={() => form.open({})}>
            新增分类
          </Button>
        </Can>
      )}
      <Loaded query={query} rows={4}>
        {() => (
          <ul>
            <li>
              <Leaf
                words="全部分类"
                count={countOf(roots)}
                depth={0}
                on={value === undefined}
                onClick={() => onChange(undefined)}
              />
            </li>
            {leaves(roots, 0)}
          </ul>
        )}
      </Loaded>
      <CategoryForm key={form.key} {...form.props} desk={desk} roots={roots} />
    </nav>
  )
}

interface LeafProps {
  words: string
  count: number | undefined
  depth: number
  on: boolean
  onClick: () => void
}

const Leaf = ({ words, count, depth, on, onClick }: LeafProps) => (
  <button
    type="button"
    className={on ? 'help-leaf help-leaf-on' : 'help-leaf'}
    style={{ paddingLeft: 8 + depth * 16 }}
    aria-pressed={on}
    title={words}
    onClick={onClick}
  >
    <span>{words}</span>
    {count !== undefined && <span className="nothing">{formatNumber(count)}</span>}
  </button>
)
