import { Alert, Button, Drawer, Form, Input, Space, Table } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import type { RowOf } from '@/api/operation'
import type { EnrollmentColumn, EnrollmentField, Saved } from '@/api/types/shared'
import { DialogName } from '@/kit/DialogName'
import { FormDrawer } from '@/kit/FormDrawer'
import { type FormAction, formAction } from '@/kit/formAction'
import { TabPanels } from '@/kit/TabList'
import type { DrawerProps } from '@/kit/useDrawer'
import { mapEnrollmentBatch, viewEnrollmentBatch } from './api'
import { Meaning, useFieldNames } from './Meaning'
import {
  coded,
  columnsRefusal,
  fields,
  sentColumns,
  sentValues,
  sources,
  type TypedValue,
  usualColumns,
  valuesRefusal,
  withColumn,
} from './mappingFields'

/** A batch with its maps. */
export type BatchView = RowOf<typeof viewEnrollmentBatch>

const COLUMN_MOST = 40
const CODE_MOST = 20

interface ColumnsProps {
  value?: EnrollmentColumn[]
  onChange?: (columns: EnrollmentColumn[]) => void
  readOnly?: boolean
}

/** 字段映射: in which column of the authority's file each field stands. */
const Columns = ({ value = [], onChange, readOnly = false }: ColumnsProps) => {
  const nameOf = useFieldNames()
  const columnOf = (field: EnrollmentField) => value.find((each) => each.field === field)?.column ?? ''
  return (
    <>
      {!readOnly && (
        <Button type="text" size="mini" onClick={() => onChange?.(usualColumns())}>
          恢复通用列名
        </Button>
      )}
      <Table
        size="small"
        rowKey="field"
        border={{ wrapper: true }}
        pagination={false}
        data={fields.map((field) => ({ field }))}
        columns={[
          { title: '字段', dataIndex: 'field', width: 160, render: nameOf },
          {
            title: '必需',
            dataIndex: 'required',
            width: 70,
            render: (_: unknown, { field }: { field: EnrollmentField }) => (sources[field].required ? '必需' : ''),
          },
          {
            title: '通用列名',
            dataIndex: 'usual',
            width: 110,
            render: (_: unknown, { field }: { field: EnrollmentField }) => sources[field].usual,
          },
          {
            title: '来源列',
            dataIndex: 'column',
            render: (_: unknown, { field }: { field: EnrollmentField }) => (
              <Input
                aria-label={`${nameOf(field)} 来源列`}
                placeholder={sources[field].required ? '请填写' : '不读取'}
                maxLength={COLUMN_MOST}
                disabled={readOnly}
                error={!readOnly && sources[field].required && !columnOf(field).trim()}
                value={columnOf(field)}
                onChange={(column) => onChange?.(withColumn(value, field, column))}
              />
            ),
          },
        ]}
      />
    </>
  )
}

interface ValuesProps {
  value?: TypedValue[]
  onChange?: (values: TypedValue[]) => void
  readOnly?: boolean
}

/** 代码映射: what the authority's codes mean. */
const Values = ({ value = [], onChange, readOnly = false }: ValuesProps) => {
  const nameOf = useFieldNames()
  const change = (at: number, part: Partial<TypedValue>) =>
    onChange?.(value.map((each, index) => (index === at ? { ...each, ...part } : each)))
  return (
    <>
      {coded.map((field) => {
        const rows = value.map((each, at) => ({ ...each, at })).filter((each) => each.field === field)
        const name = nameOf(field)
        return (
          <section key={field} className="mapping-values" aria-label={`${name}代码`}>
            <h4>{name}</h4>
            {field === 'level' && rows.length === 0 && (
              <Alert className="form-lead" type="warning" content="各省的层次代码不同，导入录取数据前请逐个填写。" />
            )}
            {rows.map(({ at, code, value: meaning }, index) => (
              <Space key={at} className="form-lead">
                <Input
                  aria-label={`${name} 第${index + 1}个代码`}
                  placeholder="招办代码"
                  maxLength={CODE_MOST}
                  disabled={readOnly}
                  value={code ?? ''}
                  onChange={(typed) => change(at, { code: typed })}
                />
                <div className="mapping-meaning">
                  <Meaning
                    field={field}
                    aria-label={`${name} 第${index + 1}个对应值`}
                    disabled={readOnly}
                    value={meaning}
                    onChange={(chosen) => change(at, { value: chosen })}
                  />
                </div>
                {!readOnly && (
                  <Button
                    type="text"
                    size="mini"
                    aria-label={`移除${name}第${index + 1}个代码`}
                    onClick={() => onChange?.(value.filter((_, other) => other !== at))}
                  >
                    移除
                  </Button>
                )}
              </Space>
            ))}
            {!readOnly && (
              <Button
                type="text"
                size="mini"
                icon={<IconPlus />}
                aria-label={`添加${name}代码`}
                onClick={() => onChange?.([...value, { field }])}
              >
                添加代码
              </Button>
            )}
            {readOnly && rows.length === 0 && <p className="form-hint">没有设置</p>}
          </section>
        )
      })}
    </>
  )
}

const saving = (batch: BatchView | undefined): FormAction<Saved> => {
  const save = formAction(mapEnrollmentBatch, '已保存字段映射', batch)
  const bodyOf = ({
    columnMap = [],
    valueMaps = [],
  }: {
    columnMap?: EnrollmentColumn[]
    valueMaps?: TypedValue[]
  }) => ({
    columnMap: sentColumns(columnMap),
    valueMaps: sentValues(valueMaps),
  })
  return { ...save, send: (values, request) => save.send(bodyOf(values), request) }
}

const WIDTH = 860
const LABELS = { columns: '字段映射', values: '代码映射' } as const

const MappingForm = ({ record, ...drawer }: DrawerProps<BatchView>) => {
  const nameOf = useFieldNames()
  return (
    <FormDrawer<BatchView, Saved>
      {...drawer}
      record={record}
      width={WIDTH}
      title={`字段映射 ${record?.name ?? ''}`}
      action={saving}
      reload={(batch, call) => call(viewEnrollmentBatch, { query: { id: batch.id } })}
    >
      <p className="form-hint form-wide">导入招办录取数据时按此读取；各省的列名和代码不同，请对照录取库填写。</p>
      <div className="form-wide">
        <TabPanels
          label="字段映射"
          panels={[
            {
              title: LABELS.columns,
              content: (
                <Form.Item
                  field="columnMap"
                  rules={[
                    {
                      validator: (columns: EnrollmentColumn[] | undefined, report) =>
                        report(columnsRefusal(columns ?? [], nameOf)),
                    },
                  ]}
                >
                  <Columns />
                </Form.Item>
              ),
            },
            {
              title: LABELS.values,
              content: (
                <Form.Item
                  field="valueMaps"
                  rules={[
                    {
                      validator: (values: TypedValue[] | undefined, report) =>
                        report(valuesRefusal(values ?? [], nameOf)),
                    },
                  ]}
                >
                  <Values />
                </Form.Item>
              ),
            },
          ]}
        />
      </div>
    </FormDrawer>
  )
}

/** 字段映射 of a batch that is over: to be looked at. */
const MappingShown = ({ visible, record, onClose }: DrawerProps<BatchView>) => {
  const title = `字段映射 ${record?.name ?? ''}`
  return (
    <Drawer title={title} width={WIDTH} visible={visible} footer={null} onCancel={onClose} unmountOnExit>
      <DialogName name={title} />
      <Alert className="form-lead" type="info" content="批次已结束，字段映射只能查看；需要修改时请先重新开放。" />
      <TabPanels
        label="字段映射"
        panels={[
          { title: LABELS.columns, content: <Columns value={record?.columnMap} readOnly /> },
          { title: LABELS.values, content: <Values value={record?.valueMaps} readOnly /> },
        ]}
      />
    </Drawer>
  )
}

/** 字段映射, 代码映射: how the authority's file is read for a batch (02 §14.1). */
export const Mapping = (props: DrawerProps<BatchView>) =>
  props.record?.status === 'closed' ? <MappingShown {...props} /> : <MappingForm {...props} />
