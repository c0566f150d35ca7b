import { Button } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import type { RowOf } from '@/api/operation'
import { bulkStep } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { fieldsOf } from '@/kit/Field'
import { FilterBar } from '@/kit/FilterBar'
import { FormDrawer } from '@/kit/FormDrawer'
import { DateRangeFilter, EnabledFilter, EnumFilter, TextFilter } from '@/kit/filters'
import { formAction } from '@/kit/formAction'
import { OptionSelect } from '@/kit/OptionSelect'
import { Page } from '@/kit/Page'
import { PictureUpload } from '@/kit/PictureUpload'
import { QueryTable } from '@/kit/QueryTable'
import { askRemoval, removal, switching } from '@/kit/steps'
import { type DrawerProps, useDrawer } from '@/kit/useDrawer'
import { useListOrder } from '@/kit/useListOrder'
import { useQueryTable } from '@/kit/useQueryTable'
import { historyOf } from '@/logs/RecordHistory'
import {
  changeHomeCategoryStatus,
  deleteHomeCategories,
  deleteHomeCategory,
  editHomeCategory,
  exportHomeCategories,
  listAvailableHomeCategories,
  listHomeCategories,
  saveHomeCategory,
  sortHomeCategories,
  viewHomeCategory,
} from './api'
import { Thumb } from './Thumb'

type HomeCategory = RowOf<typeof listHomeCategories>

const Field = fieldsOf(saveHomeCategory)

const columns = columnsOf(listHomeCategories, [
  { field: 'name', width: 180, fixed: 'left' },
  { field: 'enabled', fixed: 'left' },
  'terminal',
  'categoryType',
  { field: 'categoryName', width: 180 },
  { field: 'icon', width: 80, render: ({ icon, name }) => <Thumb url={icon} name={name} /> },
  'sort',
  'createdAt',
])

const HomeCategoryForm = ({ record, ...drawer }: DrawerProps<HomeCategory>) => (
  <FormDrawer<HomeCategory, { id: number }>
    {...drawer}
    record={record}
    title={record ? `编辑首页分类 ${record.name}` : '新增首页分类'}
    initial={{ terminal: 'pc', sort: 0, enabled: true }}
    action={(row) =>
      row ? formAction(editHomeCategory, '已保存首页分类', row) : formAction(saveHomeCategory, '已新增首页分类')
    }
    reload={(row, call) => call(viewHomeCategory, { query: { id: row.id } })}
    keep={['terminal']}
  >
    <Field name="terminal" />
    <Field name="categoryId">
      <OptionSelect
        label="分类"
        options={listAvailableHomeCategories}
        query={(keyword) => ({ keyword: keyword || undefined })}
        known={record && { code: record.categoryId, desc: record.categoryName }}
      />
    </Field>
    <Field name="title" />
    <Field name="icon" help="">
      <PictureUpload width={178} />
    </Field>
    <Field name="sort" />
    <Field name="enabled" />
  </FormDrawer>
)

const nameOf = ({ name }: HomeCategory) => name

/** 首页分类. */
export const HomeCategoriesPage = () => {
  const table = useQueryTable(listHomeCategories)
  const form = useDrawer<HomeCategory>()
  const order = useListOrder({ sort: sortHomeCategories, rows: table.rows, nameOf, listOf: ({ terminal }) => terminal })
  return (
    <Page title="首页分类" help="首页上的课程分类入口，每个端最多10个；停用的分类不展示。拖动一行可在同一端中调整顺序。">
      <FilterBar table={table}>
        <TextFilter of={listHomeCategories} field="name" />
        <EnumFilter of={listHomeCategories} field="terminal" />
        <EnabledFilter of={listHomeCategories} field="enabled" />
        <DateRangeFilter of={listHomeCategories} from="createdFrom" to="createdTo" label="创建日期" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={nameOf}
        order={order}
        primary={
          <Can do={saveHomeCategory}>
            <Button type="primary" icon={<IconPlus />} onClick={() => form.open()}>
              新增首页分类
            </Button>
          </Can>
        }
        tools={<ExportButton do={exportHomeCategories} table={table} />}
        bulk={[
          bulkStep(deleteHomeCategories, {
            label: '批量删除',
            danger: true,
            confirm: askRemoval('首页分类'),
            input: (ids) => ({ body: { ids } }),
          }),
        ]}
        detail={historyOf(viewHomeCategory, 'home_category')}
        actionsWidth={200}
        actions={(row) => [
          { label: '编辑', do: editHomeCategory, onClick: () => form.open(row) },
          switching(changeHomeCategoryStatus, { ...row, name: nameOf(row) }, '首页上不再显示它。'),
          ...order.actions(row),
          removal(deleteHomeCategory, { id: row.id, name: nameOf(row) }),
        ]}
        empty="还没有首页分类。点击“新增首页分类”选择要展示的分类。"
      />
      <HomeCategoryForm key={form.key} {...form.props} />
    </Page>
  )
}
