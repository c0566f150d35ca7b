import { Button, Form, InputNumber, Select } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import type { Saved } from '@/api/types/shared'
import { BasicSelect, known } from '@/basic_data/BasicSelect'
import { grades, levels, majors } from '@/basic_data/choices'
import { bulkStep } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { fieldsOf } from '@/kit/Field'
import { FilterBar } from '@/kit/FilterBar'
import { FormDrawer } from '@/kit/FormDrawer'
import { EnabledFilter, EnumFilter, OptionFilter, SelectFilter } from '@/kit/filters'
import { formAction } from '@/kit/formAction'
import { QueryTable } from '@/kit/QueryTable'
import { askRemoval, removal, switching } from '@/kit/steps'
import { type DrawerProps, useDrawer } from '@/kit/useDrawer'
import { useQueryTable } from '@/kit/useQueryTable'
import { historyOf } from '@/logs/RecordHistory'
import {
  changeGraduationRuleStatus,
  deleteGraduationRule,
  deleteGraduationRules,
  editGraduationRule,
  exportGraduationRules,
  listDisciplines,
  listExternalExams,
  listGraduationRules,
  saveGraduationRule,
  viewGraduationRule,
} from './api'
import { acceptedIn, type GraduationRule, paramsOf, ruleCodes } from './graduationWords'

const trail = historyOf(viewGraduationRule, 'graduation_rule')

const columns = columnsOf(listGraduationRules, [
  { field: 'ruleName', width: 190, fixed: 'left' },
  { field: 'enabled', width: 84, fixed: 'left' },
  { field: 'purpose', title: '用途', width: 80 },
  { field: 'severity', title: '强度', width: 80, tones: { must: 'busy', warn: 'quiet' } },
  { field: 'waivable', width: 90 },
  { field: 'gradeName', title: '年级', width: 100, render: ({ gradeName }) => gradeName ?? '全部' },
  { field: 'levelName', title: '层次', width: 100, render: ({ levelName }) => levelName ?? '全部' },
  { field: 'majorName', title: '专业', width: 150, render: ({ majorName }) => majorName ?? '全部' },
])

const Field = fieldsOf(saveGraduationRule)

interface Typed extends Partial<GraduationRule> {
  /** 认可的外语考试, each with the least score. */
  languages?: Record<string, number | undefined>
  languageTypes?: string[]
}

const isLanguage = ({ purpose, ruleCode }: Typed) => purpose === 'degree' && ruleCode === 'foreign_language'
const isDiscipline = ({ purpose, ruleCode }: Typed) => purpose === 'graduation' && ruleCode === 'discipline'

/** The parameters as they are stored. */
const storedParams = ({ languageTypes = [], languages = {}, ...typed }: Typed): unknown =>
  isLanguage(typed)
    ? { accepted: languageTypes.map((type) => ({ type, least: languages[type] ?? null })) }
    : (typed.params ?? {})

const Params = (typed: Typed) => {
  if (isLanguage(typed)) {
    return (
      <>
        <Form.Item
          field="languageTypes"
          label="认可的外语考试"
          rules={[{ required: true, message: '请选择认可的外语考试' }]}
        >
          <Select
            mode="multiple"
            aria-label="认可的外语考试"
            options={(listExternalExams.fields.type?.options ?? []).map(([value, label]) => ({ value, label }))}
          />
        </Form.Item>
        {(typed.languageTypes ?? []).map((type) => {
          const label = listExternalExams.fields.type?.options?.find(([value]) => value === type)?.[1] ?? type
          return (
            <Form.Item key={type} field={`languages.${type}`} label={`${label}最低分`} extra="不填为合格即可">
              <InputNumber aria-label={`${label}最低分`} min={0} max={999} precision={1} hideControl />
            </Form.Item>
          )
        })}
      </>
    )
  }
  if (isDiscipline(typed)) {
    return (
      <Form.Item
        field="params.blockTypes"
        label="阻止毕业的处分"
        rules={[{ required: true, message: '请选择处分类型' }]}
      >
        <Select
          mode="multiple"
          aria-label="阻止毕业的处分"
          options={(listDisciplines.fields.type?.options ?? []).map(([value, label]) => ({ value, label }))}
        />
      </Form.Item>
    )
  }
  return (
    <>
      {paramsOf(typed.purpose ?? '', typed.ruleCode).map(({ name, label, usual, most, places }) => (
        <Form.Item key={name} field={`params.${name}`} label={label} initialValue={usual}>
          <InputNumber aria-label={label} min={0} max={most} precision={places} hideControl />
        </Form.Item>
      ))}
    </>
  )
}

const RuleForm = ({ record: rule, ...drawer }: DrawerProps<GraduationRule>) => {
  const accepted = acceptedIn(rule?.params)
  return (
    <FormDrawer<Typed, Saved>
      {...drawer}
      record={undefined}
      title={rule ? `编辑毕业条件 ${rule.ruleName}` : '新增毕业条件'}
      initial={
        rule
          ? {
              ...rule,
              languageTypes: accepted.map(({ type }) => type),
              languages: Object.fromEntries(accepted.map(({ type, least }) => [type, least ?? undefined])),
            }
          : { purpose: 'graduation', severity: 'must', waivable: false }
      }
      action={() => {
        const save = rule
          ? formAction(editGraduationRule, '已保存毕业条件', rule)
          : formAction(saveGraduationRule, '已新增毕业条件')
        return {
          ...save,
          send: (values: Typed, request) => {
            const { languages: _, languageTypes: __, ...rest } = values
            const typed = { ...rule, ...values }
            // Nothing waives a condition of a degree.
            const waivable = typed.purpose === 'graduation' && typed.waivable
            return save.send({ ...rest, waivable, params: storedParams(typed) }, request)
          },
        }
      }}
    >
      <p className="form-hint">同一条件范围更具体的优先；范围为空适用于全部学生。</p>
      <Field name="purpose" label="用途" disabled={rule !== undefined} />
      <Form.Item noStyle shouldUpdate>
        {({ purpose }: Typed) => (
          <Field name="ruleCode">
            <Select
              disabled={rule !== undefined}
              options={ruleCodes[purpose ?? 'graduation'].map(([value, label]) => ({ value, label }))}
            />
          </Field>
        )}
      </Form.Item>
      <Field name="gradeId" label="年级">
        <BasicSelect type="grade" placeholder="全部" known={known(rule?.gradeId, rule?.gradeName)} />
      </Field>
      <Field name="levelId" label="层次">
        <BasicSelect type="level" placeholder="全部" known={known(rule?.levelId, rule?.levelName)} />
      </Field>
      <Field name="majorId" label="专业">
        <BasicSelect type="major" placeholder="全部" known={known(rule?.majorId, rule?.majorName)} />
      </Field>
      <Form.Item noStyle shouldUpdate>
        {(typed: Typed) => Params(typed)}
      </Form.Item>
      <Field name="severity" label="强度" />
      <Form.Item noStyle shouldUpdate>
        {({ purpose = rule?.purpose }: Typed) => purpose === 'graduation' && <Field name="waivable" />}
      </Form.Item>
    </FormDrawer>
  )
}

/** 毕业条件: what graduation and the degree ask for, and of whom. */
export const RulesTab = () => {
  const table = useQueryTable(listGraduationRules)
  const form = useDrawer<GraduationRule>()
  const isDefault = ({ gradeId, levelId, majorId }: GraduationRule) => !gradeId && !levelId && !majorId
  return (
    <>
      <FilterBar table={table}>
        <EnumFilter of={listGraduationRules} field="purpose" label="用途" />
        <SelectFilter
          of={listGraduationRules}
          field="ruleCode"
          options={[...ruleCodes.graduation, ...ruleCodes.degree.filter(([code]) => code !== 'thesis')].map(
            ([value, label]) => ({ value, label }),
          )}
        />
        <OptionFilter of={listGraduationRules} field="gradeId" {...grades} />
        <OptionFilter of={listGraduationRules} field="levelId" {...levels} />
        <OptionFilter of={listGraduationRules} field="majorId" {...majors} />
        <EnabledFilter of={listGraduationRules} field="enabled" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={({ ruleName }) => ruleName}
        primary={
          <Can do={saveGraduationRule}>
            <Button type="primary" icon={<IconPlus />} onClick={() => form.open()}>
              新增条件
            </Button>
          </Can>
        }
        tools={<ExportButton do={exportGraduationRules} table={table} />}
        bulk={[
          bulkStep(deleteGraduationRules, {
            label: '批量删除',
            danger: true,
            confirm: askRemoval('毕业条件'),
            input: (ids) => ({ body: { ids } }),
          }),
        ]}
        detail={trail}
        actionsWidth={160}
        actions={(rule) => [
          { label: '编辑', do: editGraduationRule, onClick: () => form.open(rule) },
          switching(
            changeGraduationRuleStatus,
            { ...rule, name: rule.ruleName },
            '停用后审核不再检查，已审核的须重新审核。',
          ),
          {
            ...removal(deleteGraduationRule, { id: rule.id, name: rule.ruleName }),
            disabled: isDefault(rule) ? '默认条件不能删除，可以停用' : undefined,
          },
        ]}
        empty="还没有毕业条件，审核时不检查任何条件。点击“新增条件”添加。"
      />
      <RuleForm key={form.key} {...form.props} />
    </>
  )
}
