import { Select } from '@arco-design/web-react'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import { PictureUpload } from '@/kit/PictureUpload'
import type { DrawerProps } from '@/kit/useDrawer'
import { saveStudentHelpCategory } from './api'
import type { Category, Desk } from './desks'

// The fields are the same at every desk.
const Field = fieldsOf(saveStudentHelpCategory)

const ICON_PX = 96

/** What the form is opened for: a category, or a new one below another. */
export interface CategoryDraft {
  category?: Category
  below?: Category
}

interface CategoryFormProps extends DrawerProps<CategoryDraft> {
  desk: Desk
  roots: readonly Category[]
}

/** 新增 and 编辑 of a category. */
export const CategoryForm = ({ desk, roots, record: draft, ...drawer }: CategoryFormProps) => {
  const category = draft?.category
  // What has categories below it cannot go below another.
  const superiors = category && category.children.length > 0 ? [] : roots.filter(({ id }) => id !== category?.id)
  return (
    <FormDrawer<Category, { id: number }>
      {...drawer}
      record={category}
      title={category ? `编辑分类 ${category.name}` : '新增分类'}
      initial={{ parentId: draft?.below?.id, sort: 0, enabled: true }}
      action={(known) =>
        known ? formAction(desk.editCategory, '已保存分类', known) : formAction(desk.saveCategory, '已新增分类')
      }
      keep={['parentId', 'enabled']}
    >
      <Field name="name" />
      <Field name="parentId" help="不选为一级分类，最多2级">
        <Select
          placeholder="无"
          allowClear
          options={superiors.map(({ id, name }) => ({ value: id, label: name }))}
          notFoundContent="没有可选的上级分类"
        />
      </Field>
      <Field name="icon" help="在帮助中心的分类前显示，可以不传">
        <PictureUpload width={ICON_PX} height={ICON_PX} />
      </Field>
      <Field name="sort" help="数字小的在前" />
      <Field name="enabled" help="停用后，分类及其文章不在帮助中心显示" />
    </FormDrawer>
  )
}
