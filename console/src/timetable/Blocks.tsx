import { Button, DatePicker, Form, Input, Select } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import { ApiError, fieldErrors } from '@/api/errors'
import type { DataOf } from '@/api/operation'
import type { RowAction } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { confirm } from '@/kit/confirm'
import { FilterBar } from '@/kit/FilterBar'
import { FormDrawer } from '@/kit/FormDrawer'
import { EnumFilter, SelectFilter } from '@/kit/filters'
import { type FormAction, formAction } from '@/kit/formAction'
import { formatNumber } from '@/kit/format'
import { fieldOf } from '@/kit/labels'
import { withZone } from '@/kit/moments'
import { QueryTable } from '@/kit/QueryTable'
import { tidied } from '@/kit/rules'
import { SeveralOptions } from '@/kit/SeveralOptions'
import { useAction } from '@/kit/useAction'
import { type DrawerProps, useDrawer } from '@/kit/useDrawer'
import { useQueryTable } from '@/kit/useQueryTable'
import { deleteBlocks, listBlocks, saveBlocks } from './api'
import { resources, resourceWord } from './choices'
import type { Block, Whose } from './timetableRules'

const MOST_NOTE = 100

const columns = columnsOf(listBlocks, [
  { field: 'name', title: '名称', width: 180, fixed: 'left' },
  { field: 'kind', width: 100 },
  { field: 'startsAt', width: 180 },
  { field: 'endsAt', width: 180 },
  { field: 'note', title: '说明', width: 240 },
  { field: 'createdAt', width: 180, hidden: true },
])

interface Kept {
  kind?: Whose
  resourceIds?: number[]
  startsAt?: string
  endsAt?: string
  note?: string | null
}

type Ids = DataOf<typeof saveBlocks>

/** A refusal of one item stands at the field of the form. */
const atFields = (error: unknown) =>
  error instanceof ApiError && error.code === 422
    ? new ApiError(
        error.code,
        error.message,
        fieldErrors(error).map(({ field, message }) => ({
          field: field.replace(/^items\[\d+\]\./, '').replace(/^resourceId$/, 'resourceIds'),
          message,
        })),
      )
    : error

const saving = (): FormAction<Ids> => {
  const save = formAction(saveBlocks, ({ ids }) => `已新增${formatNumber(ids.length)}条不可用时间`)
  return {
    ...save,
    send: async (values, request) => {
      const { resourceIds = [], ...rest } = tidied(withZone(values, ['startsAt', 'endsAt'])) as Kept
      try {
        return await save.send({ items: resourceIds.map((resourceId) => ({ ...rest, resourceId })) }, request)
      } catch (error) {
        throw atFields(error)
      }
    },
  }
}

const kinds = (listBlocks.fields.kind?.options ?? []).map(([value, label]) => ({ value, label }))
const label = (field: keyof Block & string) => fieldOf(listBlocks, field).label

const needed = (words: string) => [{ required: true, message: `请选择${words}` }]

const BlockForm = (drawer: DrawerProps<true>) => (
  <FormDrawer<Kept, Ids>
    {...drawer}
    record={undefined}
    title="新增不可用时间"
    initial={{ kind: 'teacher' }}
    keep={['kind', 'startsAt', 'endsAt', 'note']}
    action={saving}
  >
    <p className="form-hint">这段时间内不能排课；已有排课或考试的时间不能设置。</p>
    <Form.Item noStyle shouldUpdate>
      {({ kind = 'teacher' }: Kept, form) => (
        <>
          <Form.Item field="kind" label={label('kind')} rules={needed(label('kind'))}>
            <Select
              aria-label={label('kind')}
              options={kinds}
              onChange={() => form.setFieldsValue({ resourceIds: [] })}
            />
          </Form.Item>
          <Form.Item field="resourceIds" label={resourceWord(kind)} rules={needed(resourceWord(kind))}>
            <SeveralOptions key={kind} label={resourceWord(kind)} placeholder="可以选择多个" {...resources[kind]} />
          </Form.Item>
        </>
      )}
    </Form.Item>
    <Form.Item field="startsAt" label={label('startsAt')} rules={needed(label('startsAt'))}>
      <DatePicker showTime inputProps={{ 'aria-label': label('startsAt') }} allowClear={false} />
    </Form.Item>
    <Form.Item field="endsAt" label={label('endsAt')} rules={needed(label('endsAt'))}>
      <DatePicker showTime inputProps={{ 'aria-label': label('endsAt') }} allowClear={false} />
    </Form.Item>
    <Form.Item field="note" label={label('note')} extra="例如外出开会、设备检修">
      <Input aria-label={label('note')} maxLength={MOST_NOTE} allowClear />
    </Form.Item>
  </FormDrawer>
)

/** 不可用时间: when a teacher, a room or a class cannot be had. */
export const Blocks = () => {
  const table = useQueryTable(listBlocks)
  const form = useDrawer<true>()
  const removing = useAction(deleteBlocks, {
    done: ({ ids }) => `已删除${formatNumber(ids.length)}条不可用时间`,
    onDone: table.clearSelection,
  })
  const remove = async (ids: readonly number[], title: string) => {
    const sure = await confirm({ title, content: '删除后这段时间可以排课。', okText: '删除', danger: true })
    if (sure) removing.mutate({ query: { ids: ids.join(',') } })
  }
  const actionsOf = (row: Block): RowAction[] => [
    {
      label: '删除',
      do: deleteBlocks,
      danger: true,
      onClick: () => remove([row.id], `删除“${row.name}”的不可用时间？`),
    },
  ]
  return (
    <>
      <FilterBar table={table}>
        <EnumFilter of={listBlocks} field="kind" />
        <SelectFilter of={listBlocks} field="ahead" label="时间" options={[{ value: 'true', label: '仅以后的' }]} />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={({ name }) => name}
        primary={
          <Can do={saveBlocks}>
            <Button type="primary" icon={<IconPlus />} onClick={() => form.open()}>
              新增不可用时间
            </Button>
          </Can>
        }
        bulk={[
          {
            label: '批量删除',
            do: deleteBlocks,
            open: (ids) => remove(ids, `删除选中的${formatNumber(ids.length)}条不可用时间？`),
          },
        ]}
        actionsWidth={90}
        actions={actionsOf}
        empty="还没有不可用时间。教师、教室和班级在排课范围内都可以使用。"
      />
      <BlockForm key={form.key} {...form.props} />
    </>
  )
}
