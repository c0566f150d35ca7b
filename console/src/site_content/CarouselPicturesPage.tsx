import { Button } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import type { RowOf } from '@/api/operation'
import { bulkStep } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { DateTimeInput } from '@/kit/DateTimeInput'
import { ExportButton } from '@/kit/ExportButton'
import { fieldsOf } from '@/kit/Field'
import { FilterBar } from '@/kit/FilterBar'
import { FormDrawer } from '@/kit/FormDrawer'
import { DateRangeFilter, EnabledFilter, TextFilter } from '@/kit/filters'
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
  changeCarouselPictureStatus,
  deleteCarouselPicture,
  deleteCarouselPictures,
  editCarouselPicture,
  exportCarouselPictures,
  listCarouselPictures,
  saveCarouselPicture,
  sortCarouselPictures,
  viewCarouselPicture,
} from './api'
import { Thumb } from './Thumb'
import type { OfTerminal, Terminal } from './terminal'

type Advertisement = RowOf<typeof listCarouselPictures>

const Field = fieldsOf(saveCarouselPicture)

const columns = columnsOf(listCarouselPictures, [
  { field: 'advTitle', width: 220, fixed: 'left' },
  { field: 'standing', fixed: 'left', tones: { waiting: 'busy', shown: 'good', ended: 'quiet', disabled: 'quiet' } },
  { field: 'advImg', width: 130, render: ({ advImg, advTitle }) => <Thumb url={advImg} name={advTitle} /> },
  'beginsAt',
  'endsAt',
  'closable',
  'sort',
  { field: 'advUrl', width: 220, hidden: true },
  { field: 'target', hidden: true },
  { field: 'bgColor', hidden: true },
  { field: 'createdAt', hidden: true },
])

const AdvertisementForm = ({ record, terminal, ...drawer }: DrawerProps<Advertisement> & { terminal: Terminal }) => (
  <FormDrawer<Advertisement, { id: number }>
    {...drawer}
    record={record}
    title={record ? `编辑轮播图 ${record.advTitle}` : '新增轮播图'}
    initial={{ terminal, target: 'self', closable: true, sort: 0, enabled: true }}
    action={(row) =>
      row
        ? formAction(editCarouselPicture, '已保存轮播图', row)
        : formAction(saveCarouselPicture, '已新增轮播图', { terminal })
    }
    reload={(row, call) => call(viewCarouselPicture, { query: { id: row.id } })}
    keep={['target', 'closable', 'enabled']}
  >
    <Field name="advTitle" />
    <Field name="advImg" help="">
      <PictureUpload width={178} />
    </Field>
    <Field name="advUrl" />
    <Field name="target" />
    <Field name="beginsAt" />
    <Field name="endsAt">
      <DateTimeInput dayEnd />
    </Field>
    <Field name="closable" />
    <Field name="bgColor" />
    <Field name="sort" />
    <Field name="enabled" />
  </FormDrawer>
)

const nameOf = ({ advTitle }: Advertisement) => advTitle

const CarouselPicturesPage = ({ terminal, title }: OfTerminal) => {
  const table = useQueryTable(listCarouselPictures, { usual: { terminal } })
  const form = useDrawer<Advertisement>()
  const order = useListOrder({ sort: sortCarouselPictures, rows: table.rows, nameOf })
  return (
    <Page title={title} help="首页轮换展示的图片，在时段内的最多展示8张。拖动一行可调整顺序。">
      <FilterBar table={table}>
        <TextFilter of={listCarouselPictures} field="name" />
        <EnabledFilter of={listCarouselPictures} field="enabled" />
        <DateRangeFilter of={listCarouselPictures} from="createdFrom" to="createdTo" label="创建日期" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={nameOf}
        order={order}
        primary={
          <Can do={saveCarouselPicture}>
            <Button type="primary" icon={<IconPlus />} onClick={() => form.open()}>
              新增轮播图
            </Button>
          </Can>
        }
        tools={<ExportButton do={exportCarouselPictures} table={table} />}
        bulk={[
          bulkStep(deleteCarouselPictures, {
            label: '批量删除',
            danger: true,
            confirm: askRemoval('轮播图'),
            input: (ids) => ({ body: { ids } }),
          }),
        ]}
        detail={historyOf(viewCarouselPicture, 'adv')}
        actionsWidth={200}
        actions={(row) => [
          { label: '编辑', do: editCarouselPicture, onClick: () => form.open(row) },
          switching(changeCarouselPictureStatus, { ...row, name: nameOf(row) }, '网站上不再显示它。'),
          ...order.actions(row),
          removal(deleteCarouselPicture, { id: row.id, name: nameOf(row) }),
        ]}
        empty="还没有轮播图。点击“新增轮播图”添加第一个。"
      />
      <AdvertisementForm key={form.key} {...form.props} terminal={terminal} />
    </Page>
  )
}

/** 首页轮播. */
export const PcCarouselPicturesPage = () => <CarouselPicturesPage terminal="pc" title="首页轮播" />

/** 移动轮播. */
export const AppCarouselPicturesPage = () => <CarouselPicturesPage terminal="app" title="移动轮播" />
