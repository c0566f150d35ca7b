import { Button, Space } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import { useMutation } from '@tanstack/react-query'
import { useCall } from '@/api/schoolContext'
import { classes, grades, levels, majors, sites } from '@/basic_data/choices'
import { type RowAction, step } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { DateRangeFilter, EnumFilter, OptionFilter, TextFilter } from '@/kit/filters'
import { ImportButton } from '@/kit/ImportWizard'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { Segments } from '@/kit/Segments'
import { useDrawer } from '@/kit/useDrawer'
import { useQueryTable } from '@/kit/useQueryTable'
import {
  acceptChange,
  auditChange,
  cancelChange,
  editChange,
  exportChanges,
  fetchChangeImportTemplate,
  fileChanges,
  importChanges,
  listChanges,
  printChange,
  rejectChange,
  reviewChangeOfSite,
  reviewChanges,
  saveChange,
  submitChange,
  viewChange,
} from './api'
import { ChangeDetail } from './ChangeDetail'
import { ChangeForm, type Opening } from './ChangeForm'
import { ChangePaper, type Wanted } from './ChangePaper'
import { type Row, type StepName, stepsOf } from './changeRules'
import { batches } from './choices'
import { applications } from './columns'
import {
  AcceptForm,
  ApproveManyForm,
  AuditForm,
  CancelForm,
  FilingForm,
  RejectForm,
  RejectManyForm,
  SiteReviewForm,
  type Ticked,
} from './StepForms'
import './statusChange.css'

const EVERYTHING = 'all'
/** The tabs; what is over has lists of its own. */
const scopes = ['all', 'pending_site', 'pending_target_site', 'pending_school', 'approved'] as const

const itemOf = ({ id, version }: Row) => ({ id, version })

/** 异动申请: all that is asked for, and what waits for whom (02 §10). */
export const ApplicationsPage = () => {
  const table = useQueryTable(listChanges, { usual: { scope: EVERYTHING } })
  const call = useCall()
  const form = useDrawer<Opening>()
  const site = useDrawer<Row>()
  const accept = useDrawer<Row>()
  const audit = useDrawer<Row>()
  const reject = useDrawer<Row>()
  const cancel = useDrawer<Row>()
  const paper = useDrawer<Wanted>()
  const approveMany = useDrawer<Ticked>()
  const rejectMany = useDrawer<Ticked>()
  const filing = useDrawer<Ticked>()
  const items = table.tickedRows.map(itemOf)
  const chosen = (rows: Ticked['rows'], count: number): Ticked => ({
    rows,
    count,
    shown: 'items' in rows ? table.tickedRows : [],
    done: (failed = []) => (failed.length > 0 ? table.tickRows(failed) : table.clearSelection()),
  })
  const opening = useMutation({
    mutationFn: (id: number) => call(viewChange, { query: { id } }),
    onSuccess: (change) => form.open({ change }),
  })
  const entries: Record<StepName, (row: Row) => RowAction> = {
    submit: (row) =>
      step(submitChange, {
        label: '提交',
        with: { body: itemOf(row) },
        done: `已提交“${row.name}”的学籍异动`,
      }),
    site: (row) => ({ label: '站点审核', do: reviewChangeOfSite, onClick: () => site.open(row) }),
    accept: (row) => ({ label: '接收审核', do: acceptChange, onClick: () => accept.open(row) }),
    audit: (row) => ({ label: '审批', do: auditChange, onClick: () => audit.open(row) }),
    edit: (row) => ({ label: '编辑', do: editChange, onClick: () => opening.mutate(row.id) }),
    reject: (row) => ({ label: '驳回', do: rejectChange, danger: true, onClick: () => reject.open(row) }),
    cancel: (row) => ({ label: '撤回', do: cancelChange, danger: true, onClick: () => cancel.open(row) }),
    print: (row) => ({
      label: '打印审批表',
      do: printChange,
      onClick: () => paper.open({ id: row.id, name: row.name }),
    }),
  }
  const actionsOf = (row: Row): RowAction[] => [
    ...stepsOf(row).map((name) => entries[name](row)),
    { label: '查看', do: viewChange, onClick: () => table.open(row) },
  ]
  const many = (label: string, operation: typeof reviewChanges | typeof fileChanges, drawer: typeof filing) => ({
    label,
    do: operation,
    open: () => drawer.open(chosen({ items }, items.length)),
    openAll: (filter: object, count: number) => drawer.open(chosen({ filter }, count)),
  })
  return (
    <Page title="异动申请" help="转专业、转层次、转班转站点、休学、复学、退学和转学的申请与审批。" personal>
      <Segments table={table} field="scope" label="办理进度" only={scopes} usual={EVERYTHING} />
      <FilterBar table={table}>
        <EnumFilter of={listChanges} field="types" />
        <TextFilter of={listChanges} field="keyword" label="姓名或号码" />
        <OptionFilter of={listChanges} field="batchId" {...batches} />
        <OptionFilter of={listChanges} field="siteId" {...sites} />
        <OptionFilter of={listChanges} field="gradeId" {...grades} />
        <OptionFilter of={listChanges} field="levelId" {...levels} />
        <OptionFilter of={listChanges} field="majorId" {...majors} />
        <EnumFilter of={listChanges} field="studyForm" />
        <OptionFilter of={listChanges} field="classId" {...classes} />
        {!table.filters.scope && <EnumFilter of={listChanges} field="status" />}
        <EnumFilter of={listChanges} field="source" />
        <DateRangeFilter of={listChanges} from="createdFrom" to="createdTo" label="申请时间" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={applications}
        nameOf={(row) => row.name}
        primary={
          <Can do={saveChange}>
            <Button type="primary" icon={<IconPlus />} onClick={() => form.open({})}>
              代办申请
            </Button>
          </Can>
        }
        tools={
          <Space size={4}>
            <ImportButton do={importChanges} template={fetchChangeImportTemplate} what="学籍异动" />
            <ExportButton do={exportChanges} table={table} />
          </Space>
        }
        bulk={[
          many('批量审批', reviewChanges, approveMany),
          many('批量驳回', reviewChanges, rejectMany),
          many('登记备案文号', fileChanges, filing),
        ]}
        actionsWidth={215}
        actions={actionsOf}
        file={(row) => <ChangeDetail id={row.id} />}
        empty="还没有异动申请。点击“代办申请”，或在“在籍学生”中选择“申请异动”。"
      />
      <ChangeForm key={`form-${form.key}`} {...form.props} />
      <SiteReviewForm key={`site-${site.key}`} {...site.props} />
      <AcceptForm key={`accept-${accept.key}`} {...accept.props} />
      <AuditForm key={`audit-${audit.key}`} {...audit.props} />
      <RejectForm key={`reject-${reject.key}`} {...reject.props} />
      <CancelForm key={`cancel-${cancel.key}`} {...cancel.props} />
      <ChangePaper key={`paper-${paper.key}`} {...paper.props} />
      <ApproveManyForm key={`approve-${approveMany.key}`} {...approveMany.props} />
      <RejectManyForm key={`reject-many-${rejectMany.key}`} {...rejectMany.props} />
      <FilingForm key={`filing-${filing.key}`} {...filing.props} />
    </Page>
  )
}
