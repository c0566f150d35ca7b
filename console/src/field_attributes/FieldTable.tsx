import { Empty, Switch, Table, Tooltip } from '@arco-design/web-react'
import { type MouseEvent, useRef, useState } from 'react'
import { useAllowed } from '@/api/identity'
import { useCall, useSchoolContext } from '@/api/schoolContext'
import { columnsOf } from '@/kit/columns'
import { DetailDrawer } from '@/kit/DetailDrawer'
import { labelOf } from '@/kit/labels'
import { RowActions } from '@/kit/RowActions'
import { removal } from '@/kit/steps'
import { useAction } from '@/kit/useAction'
import { useHeight } from '@/kit/useHeight'
import { usePhone, usePrinting } from '@/kit/useMedia'
import { useTreeOrder } from '@/kit/useTreeOrder'
import { historyOf } from '@/logs/RecordHistory'
import {
  changeFieldAttributeStatus,
  deleteFieldAttribute,
  editFieldAttribute,
  listFieldAttributes,
  sortFieldAttributes,
  viewFieldForm,
} from './api'
import type { Dictionary, FieldAttribute } from './FieldAttributeForm'

const HEAD_PX = 41
const LEAST_BODY_PX = 160
/** Everything fits beside the menu of a 1366 px screen. */
const WIDTH_PX = 1090

/** The whole form again, as an edit wants it. */
const bodyOf = (field: FieldAttribute) => {
  const { id, version, label, groupName, control, dictType, maxLength, pattern, helpText, sort } = field
  const { visible, required, studentEditable } = field
  const shown = { visible, required, studentEditable }
  return { id, version, label, groupName, control, dictType, maxLength, pattern, helpText, sort, ...shown }
}

const NEEDED = '系统必填字段不可停用或设为非必填'

type SwitchName = 'visible' | 'required' | 'studentEditable' | 'enabled'

/** Why a switch of a field stands still. */
const whyFixed = (field: FieldAttribute, name: SwitchName) => {
  if (name === 'studentEditable') return undefined
  if (field.systemRequired) return NEEDED
  if (name === 'visible' && field.required) return '必填字段必须显示'
  return name === 'required' && !field.visible ? '请先显示该字段' : undefined
}

const whyKept = ({ builtIn, systemRequired }: FieldAttribute) => {
  if (systemRequired) return '系统必填字段不能删除'
  return builtIn ? '内置字段不能删除，可以停用' : undefined
}

interface FieldSwitchProps {
  /** Of the field and the column. */
  name: string
  checked: boolean
  disabled: boolean
  reason: string | undefined
  onChange: (on: boolean) => void
}

const FieldSwitch = ({ name, reason, disabled, ...rest }: FieldSwitchProps) => {
  const control = <Switch size="small" aria-label={name} disabled={disabled || reason !== undefined} {...rest} />
  if (!reason) return control
  return (
    <Tooltip content={reason}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the reason must be readable without a mouse */}
      <span className="disabled-reason" role="note" tabIndex={0} aria-label={`${name}：${reason}`}>
        {control}
      </span>
    </Tooltip>
  )
}

/** Moves among the fields of a stage; the order is sent as a whole, so that the server sees whether this one knew them all. */
const useOrder = (fields: readonly FieldAttribute[]) => {
  const call = useCall()
  const written = useRef({ of: fields, places: new Map<number, number>() })
  const write = async (id: number, sortNo: number) => {
    if (written.current.of !== fields) written.current = { of: fields, places: new Map() }
    const { places } = written.current
    places.set(id, sortNo)
    const placeOf = (field: FieldAttribute) => places.get(field.id) ?? field.sort
    const ids = [...fields].sort((a, b) => placeOf(a) - placeOf(b)).map((field) => field.id)
    await call(sortFieldAttributes, { body: { ids } }).catch((error: unknown) => {
      places.clear()
      throw error
    })
  }
  const roots = fields.map(({ id, label, sort }) => ({ id, name: label, sortNo: sort, children: [] }))
  return useTreeOrder({ roots, edit: sortFieldAttributes, write, filtered: false })
}

/** Everything that is known of a field. */
const detailColumns = (dictionaries: readonly Dictionary[]) =>
  columnsOf(listFieldAttributes, [
    'fieldKey',
    'label',
    'groupName',
    'control',
    {
      field: 'dictType',
      render: ({ dictType }) => dictionaries.find((each) => each.dictType === dictType)?.dictName ?? dictType ?? '—',
    },
    'builtIn',
    'systemRequired',
    'visible',
    'required',
    'studentEditable',
    'maxLength',
    'pattern',
    'helpText',
    'enabled',
  ])

interface FieldTableProps {
  fields: readonly FieldAttribute[]
  dictionaries: readonly Dictionary[]
  edit: (field: FieldAttribute) => void
}

/** The fields of a stage in their order, with their switches. */
export const FieldTable = ({ fields, dictionaries, edit }: FieldTableProps) => {
  const context = useSchoolContext()
  const allowed = useAllowed()
  const phone = usePhone()
  const printing = usePrinting()
  const [box, height] = useHeight()
  const [openId, open] = useState<number>()
  const order = useOrder(fields)
  const editing = useAction(editFieldAttribute, { done: '已保存' })
  const enabling = useAction(changeFieldAttributeStatus, { done: '已保存' })
  const saving = editing.isPending || enabling.isPending
  const opened = fields.find(({ id }) => id === openId)

  const at = opened ? fields.indexOf(opened) : -1
  const toField = (field: FieldAttribute | undefined) => field && (() => open(field.id))
  const set = (field: FieldAttribute, name: SwitchName, on: boolean) => {
    if (name === 'enabled') enabling.mutate({ body: { id: field.id, version: field.version, enabled: on } })
    else editing.mutate({ body: { ...bodyOf(field), [name]: on } })
  }
  const switchColumn = (name: SwitchName, title: string, width = 64) => ({
    title,
    dataIndex: name,
    width,
    render: (_: unknown, field: FieldAttribute) => (
      <FieldSwitch
        name={`${field.label} ${title}`}
        checked={field[name]}
        disabled={saving || !allowed(name === 'enabled' ? changeFieldAttributeStatus : editFieldAttribute)}
        reason={whyFixed(field, name)}
        onChange={(on) => set(field, name, on)}
      />
    ),
  })
  const changes = [editFieldAttribute, deleteFieldAttribute, sortFieldAttributes].some(allowed)
  const actions = {
    title: '操作',
    dataIndex: 'actions',
    width: phone ? 90 : 190,
    fixed: 'right' as const,
    render: (_: unknown, field: FieldAttribute) => (
      <RowActions
        folded={phone}
        actions={[
          { label: '编辑', do: editFieldAttribute, onClick: () => edit(field) },
          { ...removal(deleteFieldAttribute, { id: field.id, name: field.label }), disabled: whyKept(field) },
          ...order.actions(field),
        ]}
      />
    ),
  }
  const word = (name: 'groupName' | 'control') => (value: string) => labelOf(listFieldAttributes, name, value)

  return (
    <div className="table-box" ref={box}>
      <Table
        rowKey="id"
        size="small"
        border={{ wrapper: true }}
        data={[...fields]}
        pagination={false}
        scroll={printing ? undefined : { x: WIDTH_PX, y: Math.max(LEAST_BODY_PX, height - HEAD_PX) }}
        onRow={(field) => ({
          ...order.row(field),
          onClick: (event: MouseEvent) => {
            const own = event.target instanceof Element && event.target.closest('button, a, input, label, [role=note]')
            if (!own) open(field.id)
          },
        })}
        rowClassName={({ id }) => (id === openId ? 'row-open' : '')}
        noDataElement={<Empty description="这个环节还没有字段。请新增字段。" />}
        columns={[
          { title: '排序', width: 66, align: 'right', className: 'numeric', render: (_, __, at) => at + 1 },
          { title: '字段标识', dataIndex: 'fieldKey', width: 172, ellipsis: true },
          {
            title: '显示名称',
            dataIndex: 'label',
            width: 130,
            render: (label: string, { id }) => (
              <button type="button" className="row-name" onClick={() => open(id)}>
                {label}
              </button>
            ),
          },
          { title: '分组', dataIndex: 'groupName', width: 100, render: word('groupName') },
          { title: '控件', dataIndex: 'control', width: 90, render: word('control') },
          { title: '内置', dataIndex: 'builtIn', width: 60, render: (builtIn: boolean) => (builtIn ? '是' : '否') },
          switchColumn('visible', '显示'),
          switchColumn('required', '必填'),
          switchColumn('studentEditable', '学员可改', 90),
          switchColumn('enabled', '启用'),
          ...(changes ? [actions] : []),
        ]}
      />
      <DetailDrawer
        title={opened ? opened.label : ''}
        row={opened}
        context={context}
        columns={detailColumns(dictionaries)}
        more={historyOf(viewFieldForm, 'field_attribute')}
        previous={toField(fields[at - 1])}
        next={opened && toField(fields[at + 1])}
        onClose={() => open(undefined)}
      />
    </div>
  )
}
