import { Button, Form, Input, InputNumber, Select, Space } from '@arco-design/web-react'
import { IconDelete, IconPlus } from '@arco-design/web-react/icon'
import type { RowOf } from '@/api/operation'
import { BasicSelect } from '@/basic_data/BasicSelect'
import { useEnumeration } from '@/settings/useEnumeration'
import type { listStudentNoRules } from '@/student_numbers/api'
import { saveStudent } from './api'

export type Segment = RowOf<typeof listStudentNoRules>['segments'][number]
type Kind = Segment['kind']

/** Kinds whose values may be set one by one, and of what. */
const choices: Partial<Record<Kind, 'level' | 'major' | 'site' | 'class'>> = {
  level: 'level',
  major: 'major',
  site: 'site',
  class: 'class',
}
const studyForms = (saveStudent.fields.studyForm?.options ?? []).map(([value, label]) => ({ value, label }))

/** The kinds of parts with their words. */
export const useSegmentKinds = () =>
  useEnumeration('studentNoSegment').map(({ code, desc }) => ({ value: code, label: desc }))

/** A select over basic data whose choice is kept as a text, as the rule keeps it. */
const KeySelect = ({ type, value, onChange }: KeySelectProps) => (
  <BasicSelect
    type={type}
    aria-label="对象"
    value={value ? Number(value) : undefined}
    onChange={(id) => onChange?.(id === undefined ? undefined : String(id))}
  />
)

interface KeySelectProps {
  type: 'level' | 'major' | 'site' | 'class'
  value?: string
  onChange?: (key: string | undefined) => void
}

/** How long a part is, where the person says it. */
const lengths: Partial<Record<Kind, readonly [min: number, max: number]>> = {
  grade_year: [2, 4],
  level: [1, 10],
  major: [1, 10],
  site: [1, 10],
  study_form: [1, 10],
  class: [1, 10],
  seq: [3, 6],
}

/** What stands for single levels, majors, sites, classes or forms, where their code does not fit. */
const Values = ({ field, kind }: { field: string; kind: Kind }) => {
  const type = choices[kind]
  return (
    <Form.List field={`${field}.values`}>
      {(values, { add, remove }) => (
        <div className="number-values">
          {values.map((value, index) => (
            <Space key={value.key} align="start">
              <Form.Item field={`${value.field}.key`} rules={[{ required: true, message: '请选择对象' }]}>
                {type ? (
                  <KeySelect type={type} />
                ) : (
                  <Select aria-label={`学习形式${index + 1}`} placeholder="学习形式" options={studyForms} />
                )}
              </Form.Item>
              <Form.Item field={`${value.field}.code`} rules={[{ required: true, message: '请填写对应值' }]}>
                <Input aria-label={`对应值${index + 1}`} placeholder="对应值" maxLength={10} />
              </Form.Item>
              <Button aria-label={`删除对应值${index + 1}`} icon={<IconDelete />} onClick={() => remove(index)} />
            </Space>
          ))}
          <Button type="text" size="small" icon={<IconPlus />} onClick={() => add()}>
            添加对应值
          </Button>
        </div>
      )}
    </Form.List>
  )
}

/** The parts of a number in their order, the running number last. */
export const NumberSegments = () => {
  const { form } = Form.useFormContext()
  const kinds = useSegmentKinds()
  const segments: Segment[] | undefined = Form.useWatch('segments', form)
  return (
    <Form.List field="segments">
      {(fields, { add, remove, move }) => (
        <fieldset>
          <legend>组成（从左到右）</legend>
          {fields.map(({ field, key }, index) => {
            const kind = segments?.[index]?.kind
            const range = kind && lengths[kind]
            const named = `第${index + 1}段`
            return (
              <div key={key} className="number-segment">
                <Space align="start" wrap>
                  <Form.Item field={`${field}.kind`} rules={[{ required: true, message: '请选择组成' }]}>
                    <Select aria-label={`${named}组成`} placeholder="组成" options={kinds} style={{ width: 120 }} />
                  </Form.Item>
                  {kind === 'literal' && (
                    <Form.Item field={`${field}.text`} rules={[{ required: true, message: '请填写固定字符' }]}>
                      <Input aria-label={`${named}固定字符`} placeholder="固定字符" maxLength={10} />
                    </Form.Item>
                  )}
                  {range && (
                    <Form.Item field={`${field}.length`} rules={[{ required: true, message: '请填写位数' }]}>
                      <InputNumber
                        aria-label={`${named}位数`}
                        placeholder="位数"
                        min={range[0]}
                        max={range[1]}
                        precision={0}
                        suffix="位"
                        style={{ width: 100 }}
                      />
                    </Form.Item>
                  )}
                  <Button aria-label={`上移${named}`} disabled={index === 0} onClick={() => move(index, index - 1)}>
                    ↑
                  </Button>
                  <Button aria-label={`删除${named}`} icon={<IconDelete />} onClick={() => remove(index)} />
                </Space>
                {kind && (choices[kind] || kind === 'study_form') && <Values field={field} kind={kind} />}
              </div>
            )
          })}
          <Button type="text" icon={<IconPlus />} onClick={() => add({ kind: 'literal', values: [] })}>
            添加一段
          </Button>
        </fieldset>
      )}
    </Form.List>
  )
}
