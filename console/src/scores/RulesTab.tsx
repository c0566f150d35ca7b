import { Button, Space } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import { grades, levels, majors } from '@/basic_data/choices'
import { courses } from '@/course_opening/choices'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { FilterBar } from '@/kit/FilterBar'
import { EnabledFilter, OptionFilter } from '@/kit/filters'
import { QueryTable } from '@/kit/QueryTable'
import { Word } from '@/kit/Status'
import { removal, switching } from '@/kit/steps'
import { useDrawer } from '@/kit/useDrawer'
import { useQueryTable } from '@/kit/useQueryTable'
import { historyOf } from '@/logs/RecordHistory'
import {
  changeScoreRuleStatus,
  deleteScoreRule,
  editScoreRule,
  listScoreRules,
  saveScoreRule,
  tryScoreRule,
  viewScoreRule,
} from './api'
import { RuleForm, type RuleWish } from './RuleForm'
import { mayNameCourse, type Rule, ruleScope, type ScoreKind } from './scoreWords'
import { TryRule } from './TryRule'

const trail = historyOf(viewScoreRule, 'score_rule')

const columns = columnsOf(listScoreRules, [
  {
    field: 'summary',
    width: 280,
    fixed: 'left',
    render: ({ summary, isDefault }) => (
      <>
        {summary} {isDefault && <Word tone="busy">默认</Word>}
      </>
    ),
  },
  { field: 'enabled', width: 84, fixed: 'left' },
  { field: 'gradeName', width: 100, render: ({ gradeName }) => gradeName ?? '全部' },
  { field: 'levelName', width: 100, render: ({ levelName }) => levelName ?? '全部' },
  { field: 'majorName', width: 150, render: ({ majorName }) => majorName ?? '全部' },
  { field: 'courseName', width: 170, render: ({ courseName }) => courseName ?? '全部' },
  {
    field: 'studentCount',
    width: 110,
    help: '范围内的在籍学生；指定课程的，只计选了该课程的；不扣除被更具体的规则替代的',
  },
  { field: 'updatedByName', width: 100 },
  { field: 'updatedAt', width: 170 },
  { field: 'remark', width: 160, hidden: true },
])

/** 规则 of one kind: the default, and what replaces it for some. */
export const RulesTab = ({ kind }: { kind: ScoreKind }) => {
  const table = useQueryTable(listScoreRules, { usual: { kind } })
  const form = useDrawer<RuleWish>()
  const trial = useDrawer<Rule>()
  const named = (rule: Rule) => ({ ...rule, name: ruleScope(rule) })
  const shown = mayNameCourse(kind) ? columns : columns.filter(({ key }) => key !== 'courseName')
  return (
    <>
      <FilterBar table={table}>
        <OptionFilter of={listScoreRules} field="gradeId" {...grades} />
        <OptionFilter of={listScoreRules} field="levelId" {...levels} />
        <OptionFilter of={listScoreRules} field="majorId" {...majors} />
        {mayNameCourse(kind) && <OptionFilter of={listScoreRules} field="courseId" {...courses} />}
        <EnabledFilter of={listScoreRules} field="enabled" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={shown}
        nameOf={ruleScope}
        primary={
          <Space size={8}>
            <Can do={saveScoreRule}>
              <Button type="primary" icon={<IconPlus />} onClick={() => form.open({})}>
                新增规则
              </Button>
            </Can>
            <Can do={tryScoreRule}>
              <Button onClick={() => trial.open()}>试算</Button>
            </Can>
          </Space>
        }
        detail={trail}
        actionsWidth={210}
        actions={(rule) => [
          { label: '编辑', do: editScoreRule, onClick: () => form.open({ rule }) },
          { label: '复制', do: saveScoreRule, onClick: () => form.open({ rule, copy: true }) },
          { label: '试算', do: tryScoreRule, onClick: () => trial.open(rule) },
          {
            ...switching(changeScoreRuleStatus, named(rule), '停用后范围内的学生改用其他规则，未提交的成绩自动重算。'),
            disabled: rule.isDefault ? '默认规则不能停用' : undefined,
          },
          {
            ...removal(deleteScoreRule, named(rule)),
            disabled: rule.isDefault ? '默认规则不能删除' : undefined,
          },
        ]}
        empty="还没有规则。默认规则在开通院校时建立。"
      />
      <RuleForm key={form.key} {...form.props} kind={kind} />
      <TryRule key={`try-${trial.key}`} {...trial.props} kind={kind} />
    </>
  )
}
