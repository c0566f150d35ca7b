import { Form, InputNumber } from '@arco-design/web-react'
import type { Saved } from '@/api/types/shared'
import { grades, levels, sites } from '@/basic_data/choices'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { type FormAction, formAction } from '@/kit/formAction'
import { SeveralOptions } from '@/kit/SeveralOptions'
import type { DrawerProps } from '@/kit/useDrawer'
import { editSuperviseRule, saveSuperviseRule } from './api'
import { type Kind, paramsOf, type Rule, thresholdsRefusal, unitOf } from './superviseRules'
import { kindWord } from './words'

const Field = fieldsOf(saveSuperviseRule)

/** What stands in the form: the parameters by their keys. */
interface Typed extends Partial<Omit<Rule, 'params'>> {
  param?: Record<string, number | undefined>
}

const typedOf = ({ params, ...rule }: Rule): Typed => ({
  ...rule,
  param: Object.fromEntries((params ?? []).map(({ key, value }) => [key, value])),
})

/** The parameters of the kind as they are sent; what was left empty has its usual value. */
const paramsIn = (kind: Kind | undefined, param: Typed['param']) =>
  ((kind && paramsOf[kind]) ?? []).map(({ key, usual }) => ({ key, value: param?.[key] ?? usual }))

const saving = (rule: Rule | undefined): FormAction<Saved> => {
  const action = rule
    ? formAction(editSuperviseRule, '已保存规则，下次扫描起生效', rule)
    : formAction(saveSuperviseRule, '已新增规则，下次扫描起生效')
  return {
    ...action,
    send: (values, request) => {
      const { param, ...rest }: Typed = values
      return action.send({ ...rest, params: paramsIn(rest.kind ?? rule?.kind, param) }, request)
    },
  }
}

type Report = (message?: string) => void

/** The three levels, checked together: what is wrong stands at the first. */
const Thresholds = ({ kind, values }: { kind: Kind; values: Typed }) => {
  const unit = unitOf(kind)
  const { yellow, orange, red } = values
  const refusal = () => thresholdsRefusal(kind, { yellow, orange, red })
  const level = (field: 'yellow' | 'orange' | 'red', label: string) => (
    <Form.Item
      key={field}
      field={field}
      label={`${label}阈值(${unit})`}
      extra="不填时不用该级别"
      rules={field === 'yellow' ? [{ validator: (_: unknown, report: Report) => report(refusal()) }] : undefined}
    >
      <InputNumber aria-label={`${label}阈值`} min={0} max={1000} precision={0} hideControl />
    </Form.Item>
  )
  return (
    <>
      {level('yellow', '黄色')}
      {level('orange', '橙色')}
      {level('red', '红色')}
    </>
  )
}

const Params = ({ kind }: { kind: Kind }) => (
  <>
    {(paramsOf[kind] ?? []).map(({ key, label, usual, least, most }) => (
      <Form.Item key={key} field={`param.${key}`} label={label} extra={`不填时为${usual}`}>
        <InputNumber aria-label={label} min={least} max={most} precision={0} hideControl />
      </Form.Item>
    ))}
  </>
)

/** A rule: for whom, from which measure on. */
export const RuleForm = ({ record: rule, ...drawer }: DrawerProps<Rule>) => (
  <FormDrawer<Typed, Saved>
    {...drawer}
    record={rule && typedOf(rule)}
    initial={{ graceWeeks: 3, enabled: true }}
    title={rule ? `编辑督学规则 ${kindWord(rule.kind)}` : '新增督学规则'}
    action={() => saving(rule)}
  >
    <Field name="kind" disabled={rule !== undefined} />
    <Form.Item noStyle shouldUpdate>
      {(values: Typed) =>
        values.kind && (
          <>
            <Thresholds kind={values.kind} values={values} />
            <Params kind={values.kind} />
          </>
        )
      }
    </Form.Item>
    <Field name="gradeIds">
      <SeveralOptions label="适用年级" {...grades} />
    </Field>
    <Field name="levelIds">
      <SeveralOptions label="适用层次" {...levels} />
    </Field>
    <Field name="siteIds">
      <SeveralOptions label="适用站点" {...sites} />
    </Field>
    <Field name="graceWeeks" />
    <Field name="enabled" />
  </FormDrawer>
)
