import { Button } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import { listOptions } from '@/api/infra'
import type { RowOf } from '@/api/operation'
import { allCourseOptions } from '@/courses/CourseSelect'
import { bulkStep } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { EnabledFilter, EnumFilter, OptionFilter, TextFilter } from '@/kit/filters'
import { QueryTable } from '@/kit/QueryTable'
import { askRemoval, removal, switching } from '@/kit/steps'
import { useDrawer } from '@/kit/useDrawer'
import { useQueryTable } from '@/kit/useQueryTable'
import { historyOf } from '@/logs/RecordHistory'
import {
  changePaperRuleStatus,
  checkPaperRule,
  deletePaperRule,
  deletePaperRules,
  editPaperRule,
  exportPaperRules,
  generatePapers,
  listPaperRules,
  savePaperRule,
  viewPaperRule,
} from './api'
import { RuleForm } from './RuleForm'
import { CheckRule, GeneratePapers } from './RuleSteps'
import './questionBank.css'

type Rule = RowOf<typeof listPaperRules>

const columns = columnsOf(listPaperRules, [
  { field: 'name', width: 240, fixed: 'left' },
  { field: 'enabled', fixed: 'left' },
  { field: 'courseName', title: '课程', width: 180 },
  { field: 'kind', width: 90 },
  { field: 'questionCount', title: '题数', width: 80 },
  {
    field: 'scoreSum',
    title: '总分/目标',
    width: 120,
    render: ({ scoreSum, totalScore }) => `${scoreSum.toFixed(1)} / ${totalScore.toFixed(1)}`,
  },
  { field: 'avoidRecentSemesters', title: '避开最近学期', width: 120 },
  { field: 'avoidHomeworkQuestions', title: '避开作业题', width: 110 },
  { field: 'updatedAt', title: '更新', width: 170 },
  { field: 'durationMinutes', title: '时长(分钟)', hidden: true },
  { field: 'createdAt', hidden: true },
])

/** 组卷策略: how papers are drawn from the banks of a course. */
export const RuleList = () => {
  const table = useQueryTable(listPaperRules)
  const form = useDrawer<Rule>()
  const check = useDrawer<Rule>()
  const generate = useDrawer<Rule>()
  return (
    <>
      <FilterBar table={table}>
        <TextFilter of={listPaperRules} field="keyword" label="策略名称" />
        <OptionFilter
          of={listPaperRules}
          field="courseId"
          label="课程"
          options={listOptions}
          query={allCourseOptions('course')}
        />
        <EnumFilter of={listPaperRules} field="kind" />
        <EnabledFilter of={listPaperRules} field="enabled" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={({ name }) => name}
        primary={
          <Can do={savePaperRule}>
            <Button type="primary" icon={<IconPlus />} onClick={() => form.open()}>
              新增策略
            </Button>
          </Can>
        }
        tools={<ExportButton do={exportPaperRules} table={table} />}
        bulk={[
          bulkStep(deletePaperRules, {
            label: '批量删除',
            danger: true,
            confirm: askRemoval('组卷策略'),
            input: (ids) => ({ body: { ids } }),
          }),
        ]}
        detail={historyOf(viewPaperRule, 'paper_rule')}
        actionsWidth={190}
        actions={(rule) => [
          {
            label: '生成试卷',
            do: generatePapers,
            disabled: rule.enabled ? undefined : '策略已停用',
            onClick: () => generate.open(rule),
          },
          { label: '检查题量', do: checkPaperRule, onClick: () => check.open(rule) },
          { label: '编辑', do: editPaperRule, onClick: () => form.open(rule) },
          switching(changePaperRuleStatus, rule),
          removal(deletePaperRule, rule),
        ]}
        empty="还没有组卷策略。点击“新增策略”，设置各大题抽什么题、抽几题。"
      />
      <RuleForm key={form.key} {...form.props} />
      <CheckRule key={`check-${check.key}`} {...check.props} />
      <GeneratePapers key={`generate-${generate.key}`} {...generate.props} />
    </>
  )
}
