import { Button, Form } from '@arco-design/web-react'
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
import { Page } from '@/kit/Page'
import { PictureUpload } from '@/kit/PictureUpload'
import { QueryTable } from '@/kit/QueryTable'
import { askRemoval, removal, switching } from '@/kit/steps'
import { type DrawerProps, useDrawer } from '@/kit/useDrawer'
import { useListOrder } from '@/kit/useListOrder'
import { useQueryTable } from '@/kit/useQueryTable'
import { historyOf } from '@/logs/RecordHistory'
import {
  changePosterTemplateStatus,
  deletePosterTemplate,
  deletePosterTemplates,
  editPosterTemplate,
  exportPosterTemplates,
  listPosterTemplates,
  savePosterTemplate,
  sortPosterTemplates,
  viewPosterTemplate,
} from './api'
import { PosterElements } from './PosterElements'
import { PosterPreview } from './PosterPreview'
import { NEW_CODE } from './posterLayout'
import { Thumb } from './Thumb'

type PosterTemplate = RowOf<typeof listPosterTemplates>

const Field = fieldsOf(savePosterTemplate)

const columns = columnsOf(listPosterTemplates, [
  { field: 'name', width: 200, fixed: 'left' },
  { field: 'enabled', fixed: 'left' },
  'shareType',
  'isDefault',
  { field: 'bgImage', width: 80, render: ({ bgImage, name }) => <Thumb url={bgImage} name={name} /> },
  'sort',
  'createdAt',
])

const PosterTemplateForm = ({ record, ...drawer }: DrawerProps<PosterTemplate>) => (
  <FormDrawer<PosterTemplate, { id: number }>
    {...drawer}
    record={record}
    title={record ? `编辑海报模板 ${record.name}` : '新增海报模板'}
    initial={{ shareType: 'course', elements: [NEW_CODE], isDefault: false, sort: 0, enabled: true }}
    width={960}
    action={(row) =>
      row ? formAction(editPosterTemplate, '已保存海报模板', row) : formAction(savePosterTemplate, '已新增海报模板')
    }
    reload={(row, call) => call(viewPosterTemplate, { query: { id: row.id } })}
  >
    <Field name="name" />
    <Field name="shareType" />
    <Field name="bgImage" help="750×1334像素">
      <PictureUpload width={150} height={266} />
    </Field>
    <Form.Item label="预览" shouldUpdate>
      {({ bgImage, elements }: Partial<PosterTemplate>) => (
        <PosterPreview picture={bgImage} elements={elements ?? []} />
      )}
    </Form.Item>
    <div className="form-wide">
      <Field name="elements">
        <PosterElements />
      </Field>
    </div>
    <Field name="isDefault" />
    <Field name="sort" />
    <Field name="enabled" />
  </FormDrawer>
)

const nameOf = ({ name }: PosterTemplate) => name

/** 分享海报模板. */
export const PosterTemplatesPage = () => {
  const table = useQueryTable(listPosterTemplates)
  const form = useDrawer<PosterTemplate>()
  const order = useListOrder({
    sort: sortPosterTemplates,
    rows: table.rows,
    nameOf,
    listOf: ({ shareType }) => shareType,
  })
  return (
    <Page title="分享海报模板" help="学员分享时生成的海报；每种分享类型有一个默认模板。">
      <FilterBar table={table}>
        <TextFilter of={listPosterTemplates} field="name" />
        <EnumFilter of={listPosterTemplates} field="shareType" />
        <EnabledFilter of={listPosterTemplates} field="enabled" />
        <DateRangeFilter of={listPosterTemplates} from="createdFrom" to="createdTo" label="创建日期" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={nameOf}
        order={order}
        primary={
          <Can do={savePosterTemplate}>
            <Button type="primary" icon={<IconPlus />} onClick={() => form.open()}>
              新增海报模板
            </Button>
          </Can>
        }
        tools={<ExportButton do={exportPosterTemplates} table={table} />}
        bulk={[
          bulkStep(deletePosterTemplates, {
            label: '批量删除',
            danger: true,
            confirm: askRemoval('海报模板'),
            input: (ids) => ({ body: { ids } }),
          }),
        ]}
        detail={historyOf(viewPosterTemplate, 'sharing_template')}
        actionsWidth={200}
        actions={(row) => [
          { label: '编辑', do: editPosterTemplate, onClick: () => form.open(row) },
          switching(changePosterTemplateStatus, { ...row, name: nameOf(row) }, '学员不能再用它生成海报。'),
          ...order.actions(row),
          removal(deletePosterTemplate, { id: row.id, name: nameOf(row) }),
        ]}
        empty="还没有海报模板。点击“新增海报模板”制作第一个。"
      />
      <PosterTemplateForm key={form.key} {...form.props} />
    </Page>
  )
}
