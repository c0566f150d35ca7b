import { Button, Select, Space } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { useCall, useSchoolContext } from '@/api/schoolContext'
import { grades, levels, majors, organizations } from '@/basic_data/choices'
import type { RowAction } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { useDraft } from '@/kit/draft'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { EnumFilter, Labelled, OptionFilter, TextFilter } from '@/kit/filters'
import { formatPercent, formatTenths } from '@/kit/format'
import { ImportButton } from '@/kit/ImportWizard'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { Segments } from '@/kit/Segments'
import { removal } from '@/kit/steps'
import { useDrawer } from '@/kit/useDrawer'
import { useQueryTable } from '@/kit/useQueryTable'
import { paths } from '@/paths'
import {
  auditTeachingPlan,
  copyTeachingPlans,
  deleteTeachingPlan,
  editTeachingPlan,
  exportTeachingPlans,
  fetchTeachingPlanImportTemplate,
  importTeachingPlans,
  listMissingTeachingPlans,
  listTeachingPlans,
  listTeachingPlansOfSemester,
  printTeachingPlan,
  rejectTeachingPlan,
  saveTeachingPlan,
  viewTeachingPlan,
  viewTeachingPlanOfMajor,
} from './api'
import { FillMode, type Mode } from './FillMode'
import { MissingPlans } from './MissingPlans'
import { PlanFile } from './PlanFile'
import { PlanForm, type Wanting } from './PlanForm'
import { AuditPlan, type Copied, CopyPlan, CopyResults, CopyToGrade, RejectPlan } from './PlanSteps'
import { can, type Plan, type PlanView, statusTones } from './planRules'
import { stepsOf } from './steps'
import { usePrinting } from './usePrinting'
import '@/kit/figures.css'
import './teachingPlan.css'

const columns = columnsOf(listTeachingPlans, [
  { field: 'name', width: 240, fixed: 'left' },
  { field: 'status', width: 90, fixed: 'left', tones: statusTones },
  { field: 'gradeName', title: '年级', width: 104 },
  { field: 'levelName', title: '层次', width: 104 },
  { field: 'majorName', title: '专业', width: 150 },
  { field: 'studyForm', width: 100 },
  { field: 'versionNo', title: '版本', width: 70, render: ({ versionNo }) => `V${versionNo}` },
  { field: 'courseCount', width: 80 },
  {
    field: 'minCompulsoryCredits',
    title: '必修/选修学分',
    width: 120,
    help: '毕业要求的学分',
    render: ({ minCompulsoryCredits, minElectiveCredits }) =>
      `${formatTenths(minCompulsoryCredits)} / ${formatTenths(minElectiveCredits)}`,
  },
  {
    field: 'totalHours',
    width: 90,
    help: '必修课程的学时，加上各选修组按最低学分折算的学时',
    render: ({ totalHours }) => formatTenths(totalHours),
  },
  {
    field: 'offlineRatio',
    title: '线下比例',
    width: 90,
    help: '面授和实践学时占总学时的百分比',
    render: ({ offlineRatio }) => formatPercent(offlineRatio),
  },
  { field: 'effectiveAt', width: 170 },
  { field: 'totalCredits', hidden: true, render: ({ totalCredits }) => formatTenths(totalCredits) },
  { field: 'termCount', width: 80, hidden: true },
  { field: 'organizationName', title: '学院', width: 160, hidden: true },
  { field: 'submittedByName', title: '提交人', hidden: true },
  { field: 'submittedAt', hidden: true },
  { field: 'auditedByName', title: '审核人', hidden: true },
  { field: 'auditedAt', hidden: true },
  { field: 'auditOpinion', width: 200, hidden: true },
  { field: 'updatedAt', hidden: true },
])

const LATEST = 'true'
const ALL_VERSIONS = 'false'
const versions = [
  { value: LATEST, label: '只看最新' },
  { value: ALL_VERSIONS, label: '全部版本' },
]

/** The list begins with the newest versions, so that is what stands in the filter. */
const VersionFilter = ({ field }: { field: 'latestOnly' }) => {
  const draft = useDraft()
  return (
    <Labelled label="版本" fields={[field]} words="全部版本">
      <Select
        aria-label="版本"
        value={draft.valueOf(field) === ALL_VERSIONS ? ALL_VERSIONS : LATEST}
        options={versions}
        onChange={(chosen: string) => draft.set({ [field]: chosen === ALL_VERSIONS ? chosen : undefined }, true)}
      />
    </Labelled>
  )
}

const ImportPlans = () => {
  const [mode, setMode] = useState<Mode>('append')
  return (
    <ImportButton
      do={importTeachingPlans}
      template={fetchTeachingPlanImportTemplate}
      what="教学计划"
      fields={{ mode }}
      first={<FillMode value={mode} onChange={setMode} />}
    />
  )
}

const useForms = () => ({
  form: useDrawer<PlanView>(),
  audit: useDrawer<Plan>(),
  reject: useDrawer<Plan>(),
  copy: useDrawer<Plan>(),
  copyAll: useDrawer<readonly number[]>(),
  copied: useDrawer<Copied>(),
  missing: useDrawer<true>(),
})
type Forms = ReturnType<typeof useForms>

interface DialogsProps {
  forms: Forms
  wanting: Wanting | undefined
  onAdd: (wanting: Wanting) => void
}

const Dialogs = ({ forms, wanting, onAdd }: DialogsProps) => {
  const { form, audit, reject, copy, copyAll, copied, missing } = forms
  const navigate = useNavigate()
  const showCopied = (result: Copied) => {
    if (result.done < result.results.length) copied.open(result)
  }
  return (
    <>
      <PlanForm
        key={form.key}
        {...form.props}
        wanting={wanting}
        onSaved={(id) => {
          // A plan without courses goes on where they are added.
          if (!form.props.record) navigate(`${paths.planOfMajor}?planId=${id}`)
        }}
      />
      <AuditPlan key={`audit-${audit.key}`} {...audit.props} />
      <RejectPlan key={`reject-${reject.key}`} {...reject.props} />
      <CopyPlan key={`copy-${copy.key}`} {...copy.props} onCopied={showCopied} />
      <CopyToGrade key={`copyAll-${copyAll.key}`} {...copyAll.props} onCopied={showCopied} />
      <CopyResults key={`copied-${copied.key}`} {...copied.props} />
      <MissingPlans
        key={`missing-${missing.key}`}
        visible={missing.props.visible}
        onClose={missing.props.onClose}
        onAdd={onAdd}
      />
    </>
  )
}

/** 教学计划: which courses a grade of a major takes, in which term and with which credits (03 B1). */
export const PlansPage = () => {
  const table = useQueryTable(listTeachingPlans, { usual: { latestOnly: true } })
  const forms = useForms()
  const [wanting, setWanting] = useState<Wanting>()
  const navigate = useNavigate()
  const call = useCall()
  const inSchool = useSchoolContext().area === 'school'
  const printing = usePrinting()
  const editing = useMutation({
    mutationFn: ({ id }: Plan) => call(viewTeachingPlan, { query: { id } }),
    onSuccess: (plan) => forms.form.open(plan),
  })
  const add = (grade: Wanting | undefined) => {
    setWanting(grade)
    forms.form.open()
  }
  const decisions = (plan: Plan): RowAction[] =>
    plan.status === 'submitted'
      ? [
          { label: '审核', do: auditTeachingPlan, onClick: () => forms.audit.open(plan) },
          { label: '退回', do: rejectTeachingPlan, danger: true, onClick: () => forms.reject.open(plan) },
        ]
      : []
  return (
    <Page title="教学计划" help="每个年级专业的课程、学期和学分；按生效的计划开课，并据以审核毕业。">
      <Segments table={table} field="status" label="教学计划状态" />
      <FilterBar table={table}>
        <OptionFilter of={listTeachingPlans} field="gradeId" {...grades} />
        <OptionFilter of={listTeachingPlans} field="majorId" {...majors} />
        <TextFilter of={listTeachingPlans} field="keyword" />
        <VersionFilter field="latestOnly" />
        <OptionFilter of={listTeachingPlans} field="levelId" {...levels} />
        <EnumFilter of={listTeachingPlans} field="studyForm" />
        <OptionFilter of={listTeachingPlans} field="organizationId" {...organizations} />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={(plan) => plan.name}
        primary={
          <Can do={saveTeachingPlan}>
            <Button type="primary" icon={<IconPlus />} onClick={() => add(undefined)}>
              新增教学计划
            </Button>
          </Can>
        }
        tools={
          <Space size={4}>
            {inSchool && (
              <>
                <Can do={listTeachingPlansOfSemester}>
                  <Button onClick={() => navigate(paths.plansOfSemester)}>按学期查看</Button>
                </Can>
                <Can do={viewTeachingPlanOfMajor}>
                  <Button onClick={() => navigate(paths.planOfMajor)}>按专业查看</Button>
                </Can>
              </>
            )}
            <Can do={listMissingTeachingPlans}>
              <Button onClick={() => forms.missing.open(true)}>缺计划检查</Button>
            </Can>
            <ImportPlans />
            <ExportButton do={exportTeachingPlans} table={table} />
          </Space>
        }
        bulk={[{ label: '批量复制到新年级', do: copyTeachingPlans, open: (ids) => forms.copyAll.open([...ids]) }]}
        file={(plan) => <PlanFile id={plan.id} />}
        actionsWidth={210}
        actions={(plan) => [
          {
            label: inSchool ? '编辑课程' : '课程',
            do: viewTeachingPlanOfMajor,
            onClick: () => (inSchool ? navigate(`${paths.planOfMajor}?planId=${plan.id}`) : table.open(plan)),
          },
          ...decisions(plan),
          ...stepsOf(plan),
          { label: '查看', do: viewTeachingPlan, onClick: () => table.open(plan) },
          { label: '编辑', do: editTeachingPlan, disabled: can.edit(plan), onClick: () => editing.mutate(plan) },
          { label: '复制到', do: copyTeachingPlans, onClick: () => forms.copy.open(plan) },
          {
            label: '打印',
            do: printTeachingPlan,
            disabled: plan.courseCount === 0 ? '教学计划还没有课程' : undefined,
            onClick: () => printing.mutate(plan),
          },
          { ...removal(deleteTeachingPlan, plan), disabled: can.delete(plan) },
        ]}
        empty="还没有教学计划。点击“新增教学计划”，或下载模板批量导入。"
      />
      <Dialogs
        forms={forms}
        wanting={wanting}
        onAdd={(missing) => {
          forms.missing.props.onClose()
          add(missing)
        }}
      />
    </Page>
  )
}
