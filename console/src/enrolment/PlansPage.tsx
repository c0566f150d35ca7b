import { Button, Space } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { isOverAll, useCall, useSchoolContext } from '@/api/schoolContext'
import { sites } from '@/basic_data/choices'
import { bulkStep, type RowAction, step } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { EnumFilter, OptionFilter, TextFilter } from '@/kit/filters'
import { formatPercent } from '@/kit/format'
import { ImportButton } from '@/kit/ImportWizard'
import { Masked } from '@/kit/Masked'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { SchoolFirst } from '@/kit/SchoolFirst'
import { Segments } from '@/kit/Segments'
import { askRemoval, removal } from '@/kit/steps'
import { TabList } from '@/kit/TabList'
import { useDrawer } from '@/kit/useDrawer'
import { usePageTab } from '@/kit/usePageTab'
import { useQueryTable } from '@/kit/useQueryTable'
import { Admitted } from './Admitted'
import { AuditPlan, RejectPlan } from './AuditPlan'
import {
  auditSiteEnrollment,
  deleteSiteEnrollment,
  deleteSiteEnrollments,
  editSiteEnrollment,
  exportSiteEnrollments,
  fetchSiteEnrollmentImportTemplate,
  importSiteEnrollments,
  listSiteEnrollments,
  rejectSiteEnrollment,
  reviewSiteEnrollments,
  revokeSiteEnrollment,
  saveSiteEnrollment,
  submitSiteEnrollment,
  viewSiteEnrollment,
} from './api'
import { BatchSelect, batches } from './BatchSelect'
import { PlanFile } from './PlanFile'
import { PlanForm } from './PlanForm'
import { PlanSummary } from './PlanSummary'
import { PlansOfSchools } from './PlansOfSchools'
import { can, type Plan, type PlanView, statusTones } from './planRules'
import { Reported } from './Reported'
import '@/kit/figures.css'
import './enrolment.css'

const columns = columnsOf(listSiteEnrollments, [
  { field: 'siteName', width: 180, fixed: 'left' },
  { field: 'siteCode', width: 110, under: 'siteName' },
  { field: 'status', width: 90, fixed: 'left', tones: statusTones },
  { field: 'batchName', width: 180 },
  { field: 'majorCount', width: 80 },
  { field: 'quotaApplied', width: 90 },
  { field: 'quotaApproved', width: 105, help: '核定前为空' },
  {
    field: 'admitted',
    width: 80,
    help: '已分配到该站点的录取学生，不含不予入学和已注销',
    render: ({ admitted, batchId, siteId }) => <Admitted count={admitted} of={{ batchId, siteId }} />,
  },
  {
    field: 'reported',
    width: 80,
    help: '已在该站点办理报到的人数',
    render: ({ reported, batchId, siteId }) => <Reported count={reported} of={{ batchId, siteId }} />,
  },
  {
    field: 'completionRate',
    width: 85,
    help: '已录取占核定总数的百分比，没有核定人数时为空',
    render: ({ completionRate }) => formatPercent(completionRate),
  },
  { field: 'submittedAt', width: 170 },
  { field: 'contactName', width: 90 },
  {
    field: 'contactPhone',
    width: 150,
    render: (plan) => (
      <Masked entity="siteEnrollment" id={plan.id} field="contactPhone" label="联系电话" value={plan.contactPhone} />
    ),
  },
  { field: 'reviewRemark', width: 160 },
  { field: 'remark', hidden: true },
  { field: 'createdAt', hidden: true },
])

/** The tab beside the states. */
const SUMMARY = 'summary'
const summary = [[SUMMARY, '按专业汇总']] as const
const ALL = ''
const states = listSiteEnrollments.fields.status?.options ?? []

const itemOf = ({ id, version }: Plan) => ({ id, version })

/** 导入计划 into a batch, which is chosen before the file. */
const ImportPlans = ({ shown }: { shown: number | undefined }) => {
  const [chosen, setChosen] = useState<number>()
  const batchId = chosen ?? shown
  return (
    <ImportButton
      do={importSiteEnrollments}
      template={fetchSiteEnrollmentImportTemplate}
      fields={batchId === undefined ? undefined : { batchId: String(batchId) }}
      what="站点招生计划"
      label="导入计划"
      first={
        <>
          <p>批次</p>
          <BatchSelect value={batchId} onChange={setChosen} />
          <p className="form-hint">站点没有申报时新增一份已核定的计划；已核定的按表修改，待审核的请先核定。</p>
        </>
      }
      missing={batchId === undefined ? '请先选择批次' : undefined}
    />
  )
}

const Plans = ({ onSummary }: { onSummary: (batchId: string | undefined) => void }) => {
  const table = useQueryTable(listSiteEnrollments)
  const overAll = isOverAll(useSchoolContext())
  const call = useCall()
  const form = useDrawer<PlanView>()
  const audit = useDrawer<PlanView>()
  const reject = useDrawer<Plan>()
  const batchId = Number(table.filters.batchId) || undefined
  const editing = useMutation({
    mutationFn: ({ id }: Plan) => call(viewSiteEnrollment, { query: { id } }),
    onSuccess: (plan) => form.open(plan),
  })
  const auditing = useMutation({
    mutationFn: ({ id }: Plan) => call(viewSiteEnrollment, { query: { id } }),
    onSuccess: (plan) => audit.open(plan),
  })
  const actionsOf = (plan: Plan): RowAction[] => [
    { label: '审核', do: auditSiteEnrollment, disabled: can.decide(plan), onClick: () => auditing.mutate(plan) },
    { label: '编辑', do: editSiteEnrollment, disabled: can.edit(plan), onClick: () => editing.mutate(plan) },
    { label: '查看', do: viewSiteEnrollment, onClick: () => table.open(plan) },
    step(submitSiteEnrollment, {
      label: '提交',
      disabled: can.submit(plan),
      with: { body: itemOf(plan) },
      confirm: { title: `提交“${plan.siteName}”的申报？`, content: '提交后由学校核定，核定或退回前不能修改。' },
      done: `已提交“${plan.siteName}”的申报`,
    }),
    {
      label: '退回',
      do: rejectSiteEnrollment,
      danger: true,
      disabled: can.decide(plan),
      onClick: () => reject.open(plan),
    },
    step(revokeSiteEnrollment, {
      label: '撤销核定',
      danger: true,
      disabled: can.revoke(plan),
      with: { body: itemOf(plan) },
      confirm: {
        title: `撤销“${plan.siteName}”的核定？`,
        content: '核定人数会清空，申报回到待审核；已有录取学生的不能撤销。',
      },
      done: `已撤销“${plan.siteName}”的核定`,
    }),
    {
      ...removal(deleteSiteEnrollment, { id: plan.id, name: `${plan.siteName}的申报` }),
      disabled: can.delete(plan),
    },
  ]
  return (
    <>
      <Segments
        table={table}
        field="status"
        label="申报状态"
        beside={{ tabs: summary, onChoose: () => onSummary(table.filters.batchId) }}
      />
      {overAll && <PlansOfSchools filter={table.body} />}
      <FilterBar table={table}>
        <OptionFilter of={listSiteEnrollments} field="batchId" label="批次" {...batches} />
        <OptionFilter of={listSiteEnrollments} field="siteId" {...sites} />
        <EnumFilter of={listSiteEnrollments} field="status" />
        <TextFilter of={listSiteEnrollments} field="keyword" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={(plan) => plan.siteName}
        primary={
          <Can do={saveSiteEnrollment}>
            <Button type="primary" icon={<IconPlus />} onClick={() => form.open()}>
              新增站点招生
            </Button>
          </Can>
        }
        tools={
          <Space size={4}>
            <ImportPlans shown={batchId} />
            <ExportButton do={exportSiteEnrollments} table={table} />
          </Space>
        }
        bulk={[
          bulkStep(reviewSiteEnrollments, {
            label: '按申报数核定',
            confirm: (count) => ({
              title: `按申报人数核定选中的${count}份申报？`,
              content: '不是待审核的、超出专业剩余计划的会保留并说明原因。',
            }),
            input: () => ({ body: { items: table.tickedRows.map(itemOf) } }),
          }),
          bulkStep(deleteSiteEnrollments, {
            label: '批量删除',
            danger: true,
            confirm: askRemoval('站点招生计划'),
            input: (ids) => ({ body: { ids } }),
          }),
        ]}
        actionsWidth={190}
        actions={actionsOf}
        file={(plan) => <PlanFile id={plan.id} />}
        empty="还没有站点招生计划。站点可在站点端申报，学校也可新增或导入计划。"
      />
      <PlanForm key={form.key} {...form.props} batchId={batchId} />
      <AuditPlan key={`audit-${audit.key}`} {...audit.props} />
      <RejectPlan key={`reject-${reject.key}`} {...reject.props} />
    </>
  )
}

/** 站点招生: which majors of a batch each site takes on, and for how many. */
export const PlansPage = () => {
  const [tab, setTab] = usePageTab()
  return (
    <Page title="站点招生" help="教学站点申报招生专业和人数，学校核定后按核定人数招生。" personal>
      {tab === SUMMARY ? (
        <>
          <div className="list-tabs">
            <TabList
              label="申报状态"
              tabs={[[ALL, '全部'], ...states, ...summary]}
              value={SUMMARY}
              onChange={(status) => status !== SUMMARY && setTab(undefined, status === ALL ? {} : { status })}
            />
          </div>
          <SchoolFirst>
            <PlanSummary />
          </SchoolFirst>
        </>
      ) : (
        <Plans onSummary={(batchId) => setTab(SUMMARY, batchId ? { batchId } : {})} />
      )}
    </Page>
  )
}
