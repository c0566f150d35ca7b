import { TreeSelect } from '@arco-design/web-react'
import type { RowOf } from '@/api/operation'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import { PictureUpload } from '@/kit/PictureUpload'
import type { DrawerProps } from '@/kit/useDrawer'
import { type editRecordCategory, type listRecordCategories, saveRecordCategory, type viewRecordCategory } from './api'

type Node = RowOf<typeof listRecordCategories>
type Category = RowOf<typeof viewRecordCategory>

/** A category that is edited, or a new one below another. */
export interface CategoryDraft {
  category?: Node
  below?: Node
}

interface ParentProps {
  categories: readonly Node[]
  value?: number | null
  onChange?: (id: number | undefined) => void
}

const choices = (nodes: readonly Node[]): object[] =>
  nodes.map((node) => ({ key: String(node.id), title: node.categoryName, children: choices(node.children) }))

const Parent = ({ categories, value, onChange }: ParentProps) => (
  <TreeSelect
    aria-label="上级分类"
    allowClear
    placeholder="一级分类"
    treeData={choices(categories)}
    value={value ? String(value) : undefined}
    onChange={(id?: string) => onChange?.(id ? Number(id) : undefined)}
  />
)

const Field = fieldsOf(saveRecordCategory)

interface CategoryFormProps extends DrawerProps<CategoryDraft> {
  categories: readonly Node[]
  /** The operations of this kind of categories. */
  of: { save: typeof saveRecordCategory; edit: typeof editRecordCategory; view: typeof viewRecordCategory }
}

export const CategoryForm = ({ record, categories, of, ...drawer }: CategoryFormProps) => {
  const category = record?.category
  return (
    <FormDrawer<Category | Node, { id: number }>
      {...drawer}
      record={category}
      title={category ? `编辑分类 ${category.categoryName}` : '新增分类'}
      initial={{ parentId: record?.below?.id, sort: 0, enabled: true }}
      action={(edited) =>
        edited ? formAction(of.edit, '已保存分类', edited) : formAction(of.save, '已新增分类')
      }
      reload={(edited, call) => call(of.view, { query: { id: edited.id } })}
      keep={['parentId', 'enabled']}
    >
      <Field name="parentId" help="留空为一级分类，最多三级">
        <Parent categories={categories} />
      </Field>
      <Field name="categoryName" />
      <Field name="icon">
        <PictureUpload width={178} />
      </Field>
      <Field name="sort" help="同级中从小到大排列" />
      <Field name="enabled" />
      <Field name="remark" />
    </FormDrawer>
  )
}
