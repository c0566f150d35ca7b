import { Button, Space } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import type { RowOf } from '@/api/operation'
import type { Saved } from '@/api/types/shared'
import { BasicSelect, known } from '@/basic_data/BasicSelect'
import { grades, majors, openSemesters, semesters } from '@/basic_data/choices'
import { bulkStep } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { fieldsOf } from '@/kit/Field'
import { FilterBar } from '@/kit/FilterBar'
import { FormDrawer } from '@/kit/FormDrawer'
import { OptionFilter } from '@/kit/filters'
import { type FormAction, formAction } from '@/kit/formAction'
import { formatTenths } from '@/kit/format'
import { type Choice, OptionSelect } from '@/kit/OptionSelect'
import { QueryTable } from '@/kit/QueryTable'
import { askRemoval, removal } from '@/kit/steps'
import { type DrawerProps, useDrawer } from '@/kit/useDrawer'
import { useQueryTable } from '@/kit/useQueryTable'
import { historyOf } from '@/logs/RecordHistory'
import {
  deleteSelectionRule,
  deleteSelectionRules,
  editSelectionRule,
  exportSelectionRules,
  listSelectionRules,
  saveSelectionRule,
  viewSelectionRule,
} from './api'
import { ruleName } from './ruleRules'
import { SemesterFilter } from './SemesterFilter'

type Rule = RowOf<typeof listSelectionRules>

const orAll = (name: string | null | undefined) => name ?? <span className="nothing">全部</span>

const columns = columnsOf(listSelectionRules, [
  { field: 'semesterName', title: '学期', width: 160, fixed: 'left' },
  { field: 'gradeName', title: '年级', width: 90, render: ({ gradeName }) => orAll(gradeName) },
  { field: 'majorName', title: '专业', width: 150, render: ({ majorName }) => orAll(majorName) },
  { field: 'termNo', width: 80, render: ({ termNo }) => orAll(termNo?.toString()) },
  { field: 'minCredits', width: 90, render: ({ minCredits }) => formatTenths(minCredits) },
  { field: 'maxCredits', width: 90, render: ({ maxCredits }) => formatTenths(maxCredits) },
  { field: 'selectStartsAt', width: 170 },
  { field: 'selectEndsAt', width: 170 },
  { field: 'dropEndsAt', width: 170 },
  { field: 'needAudit', width: 80 },
])

const Field = fieldsOf(saveSelectionRule)

const saving = (rule: Rule | undefined): FormAction<Saved> =>
  rule ? formAction(editSelectionRule, '已保存选课规则', rule) : formAction(saveSelectionRule, '已新增选课规则')

const RuleForm = ({ record: rule, semester, ...drawer }: DrawerProps<Rule> & { semester: Choice | undefined }) => (
  <FormDrawer<Rule, Saved>
    {...drawer}
    record={rule}
    width={680}
    title={rule ? `编辑选课规则 ${ruleName(rule)}` : '新增选课规则'}
    initial={{ semesterId: semester?.code, needAudit: false }}
    keep={['semesterId', 'minCredits', 'maxCredits', 'selectStartsAt', 'selectEndsAt', 'dropEndsAt']}
    action={saving}
    reload={({ id }, call) => call(viewSelectionRule, { query: { id } })}
  >
    <p className="form-hint form-wide">同一名学生以最具体的规则为准：有专业的先于有年级的，再先于整个学期的。</p>
    <Field name="semesterId">
      <OptionSelect label="学期" {...openSemesters} known={known(rule?.semesterId, rule?.semesterName) ?? semester} />
    </Field>
    <Field name="gradeId">
      <BasicSelect type="grade" placeholder="全部年级" known={known(rule?.gradeId, rule?.gradeName)} />
    </Field>
    <Field name="majorId">
      <BasicSelect type="major" placeholder="全部专业" known={known(rule?.majorId, rule?.majorName)} />
    </Field>
    <Field name="termNo" />
    <Field name="minCredits" help="低于下限的列入“未选满学分学生”" />
    <Field name="maxCredits" help="学生一个学期的选课学分不能超过" />
    <Field name="selectStartsAt" />
    <Field name="selectEndsAt" />
    <Field name="dropEndsAt" help="学生自己退选的截止时间" />
    <Field name="needAudit" help="学生自选后待审核，通过后才算已选" />
  </FormDrawer>
)

const trail = historyOf(viewSelectionRule, 'selection_rule')

/** 选课规则: when students select, and how many credits (03 B2). */
export const SelectionRules = ({ semester }: { semester: Choice | undefined }) => {
  const table = useQueryTable(listSelectionRules, { usual: { semesterId: semester?.code } })
  const form = useDrawer<Rule>()
  return (
    <>
      <FilterBar table={table}>
        <SemesterFilter of={listSelectionRules} field="semesterId" {...semesters} usual={semester} />
        <OptionFilter of={listSelectionRules} field="gradeId" {...grades} />
        <OptionFilter of={listSelectionRules} field="majorId" {...majors} />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={ruleName}
        primary={
          <Can do={saveSelectionRule}>
            <Button type="primary" icon={<IconPlus />} onClick={() => form.open()}>
              新增选课规则
            </Button>
          </Can>
        }
        tools={
          <Space size={4}>
            <ExportButton do={exportSelectionRules} table={table} />
          </Space>
        }
        bulk={[
          bulkStep(deleteSelectionRules, {
            label: '批量删除',
            danger: true,
            confirm: askRemoval('选课规则'),
            input: (ids) => ({ body: { ids } }),
          }),
        ]}
        detail={trail}
        actions={(rule) => [
          { label: '编辑', do: editSelectionRule, onClick: () => form.open(rule) },
          removal(deleteSelectionRule, { id: rule.id, name: ruleName(rule) }),
        ]}
        empty="该学期还没有选课规则：学生不能自己选课，学分没有上限。点击“新增选课规则”设置。"
      />
      <RuleForm key={form.key} {...form.props} semester={semester} />
    </>
  )
}
