import { DatePicker, Input, InputNumber, Select, Switch } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { useLocation } from 'react-router'
import { call } from '@/api/client'
import type { RowOf } from '@/api/operation'
import { fieldsOf } from '@/kit/Field'
import { FormPage } from '@/kit/FormPage'
import { formAction } from '@/kit/formAction'
import { Loaded } from '@/kit/Loaded'
import { paths } from '@/paths'
import { editParam, saveParam, viewParam } from './api'
import { rangeOf, valueWords } from './paramWords'

type ParamRow = RowOf<typeof viewParam>

const Field = fieldsOf(saveParam)

/** 新增参数: a text that operators keep for themselves. */
export const NewParamPage = () => (
  <FormPage
    title="新增参数"
    help="自定义参数为文本，归入“自定义”分组。"
    list={paths.params}
    action={() => formAction(saveParam, '已新增参数')}
  >
    <Field name="paramCode" />
    <Field name="paramName" />
    <Field name="paramValue" />
    <Field name="remark" />
  </FormPage>
)

interface ValueInputProps {
  param: ParamRow
  value?: string
  onChange?: (value: string) => void
  'aria-label'?: string
}

/** The control of a parameter's type; the value is always text. */
const ValueInput = ({ param, value = '', onChange, ...named }: ValueInputProps) => {
  switch (param.paramType) {
    case 'int':
    case 'decimal':
      return (
        <InputNumber
          {...named}
          min={Number.MIN_SAFE_INTEGER}
          max={Number.MAX_SAFE_INTEGER}
          precision={param.paramType === 'int' ? 0 : undefined}
          value={value === '' ? undefined : Number(value)}
          onChange={(number) => onChange?.(number === undefined ? '' : String(number))}
        />
      )
    case 'bool':
      return <Switch {...named} checked={value === 'true'} onChange={(yes) => onChange?.(String(yes))} />
    case 'select':
      return (
        <Select
          {...named}
          value={value || undefined}
          onChange={onChange}
          options={param.options.map(({ code, desc }) => ({ value: code, label: desc }))}
        />
      )
    case 'date':
      return (
        <DatePicker value={value || undefined} onChange={onChange} inputProps={{ 'aria-label': named['aria-label'] }} />
      )
    default:
      return <Input {...named} value={value} onChange={onChange} allowClear />
  }
}

const EditField = fieldsOf(editParam)

/** 编辑参数: a new value; name and remark only of one's own. */
export const EditParamPage = () => {
  const id = Number(new URLSearchParams(useLocation().search).get('id'))
  const view = () => call(viewParam, { query: { id } })
  const query = useQuery({ queryKey: [viewParam.path, id], queryFn: view, gcTime: 0 })
  return (
    <Loaded query={query}>
      {(param) => (
        <FormPage
          key={param.id}
          title={`编辑参数 ${param.paramCode}`}
          help={param.paramName}
          record={param}
          list={paths.params}
          action={(row) => formAction(editParam, '已保存参数', row)}
          reload={view}
        >
          <EditField
            name="paramValue"
            help={`默认值：${valueWords(param, param.defaultValue)}；范围：${rangeOf(param)}`}
            required
          >
            <ValueInput param={param} />
          </EditField>
          {!param.builtIn && <EditField name="paramName" required />}
          {!param.builtIn && <EditField name="remark" />}
        </FormPage>
      )}
    </Loaded>
  )
}
