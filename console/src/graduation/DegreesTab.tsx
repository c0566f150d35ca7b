import { Button, Descriptions, Table } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import { useQuery } from '@tanstack/react-query'
import type { DataOf } from '@/api/operation'
import { useRequest } from '@/api/schoolContext'
import type { BulkResult, Saved } from '@/api/types/shared'
import { majors, sites } from '@/basic_data/choices'
import { graduationBatches } from '@/certificates/choices'
import { StudentSelect } from '@/course_selection/choices'
import { bulkStep, byState, IN_BACKGROUND, itemOf, type RowAction, step } from '@/kit/actions'
import { tellFailures } from '@/kit/BulkBar'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { fieldsOf } from '@/kit/Field'
import { FilterBar } from '@/kit/FilterBar'
import { FormDrawer } from '@/kit/FormDrawer'
import { EnumFilter, OptionFilter, TextFilter } from '@/kit/filters'
import { formAction } from '@/kit/formAction'
import { formatNumber } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import { OptionSelect } from '@/kit/OptionSelect'
import { QueryTable } from '@/kit/QueryTable'
import { RowActions } from '@/kit/RowActions'
import { Word } from '@/kit/Status'
import { useAction } from '@/kit/useAction'
import { type DrawerProps, useDrawer } from '@/kit/useDrawer'
import { filterOf } from '@/kit/useFileOf'
import { useQueryTable } from '@/kit/useQueryTable'
import { historyOf } from '@/logs/RecordHistory'
import { auditDegrees, awardDegrees, decideDegrees, exportDegrees, listDegrees, saveDegree, viewDegree } from './api'
import { can, type Degree, degreeTones, resultTones } from './graduationWords'
import { useGround } from './ground'
import { WholeDialog, type WholeFile } from './WholeDialog'

type Item = DataOf<typeof viewDegree>['items'][number]

const trail = historyOf(viewDegree, 'degree_application')

const columns = columnsOf(listDegrees, [
  { field: 'name', width: 110, fixed: 'left' },
  { field: 'studentNo', under: 'name' },
  { field: 'status', title: '状态', width: 84, fixed: 'left', tones: degreeTones },
  { field: 'auditResult', title: '结果', width: 90, tones: resultTones },
  { field: 'average', width: 90 },
  { field: 'degreeMean', width: 110 },
  { field: 'foreignLanguage', width: 150 },
  { field: 'thesis', width: 90 },
  { field: 'integrity', width: 90 },
  { field: 'explanations', width: 220 },
  { field: 'decision', title: '结论', width: 90 },
  { field: 'committeeNo', width: 120 },
  { field: 'committeeDate', width: 110 },
  { field: 'certificateNo', width: 180 },
  { field: 'source', title: '申请来源', width: 90 },
  { field: 'appliedOn', width: 110 },
  { field: 'majorName', width: 150 },
  { field: 'siteName', title: '站点', width: 140 },
  { field: 'className', width: 150, hidden: true },
  { field: 'batchName', width: 150, hidden: true },
  { field: 'reason', width: 160, hidden: true },
])

const Saving = fieldsOf(saveDegree)

const ApplyForm = ({ record: _, batchId, ...drawer }: DrawerProps<object> & { batchId: number | undefined }) => (
  <FormDrawer<{ studentId?: number; batchId?: number }, Saved>
    {...drawer}
    record={undefined}
    initial={{ batchId }}
    title="代申请学位"
    okText="申请"
    keep={['batchId']}
    action={() => formAction(saveDegree, '已申请学位')}
  >
    <Saving name="batchId" label="毕业批次">
      <OptionSelect label="毕业批次" {...graduationBatches} />
    </Saving>
    <Saving name="studentId">
      <StudentSelect />
    </Saving>
  </FormDrawer>
)

interface Ticked {
  rows: readonly Degree[]
  done: (failed: BulkResult['failed']) => void
}

const Decided = fieldsOf(decideDegrees)

/** 评定 by the committee, of one or many in one meeting. */
const DecideForm = ({ record: ticked, ...drawer }: DrawerProps<Ticked>) => (
  <FormDrawer<{ decision?: string; committeeDate?: string; committeeNo?: string; reason?: string }, BulkResult>
    {...drawer}
    record={undefined}
    initial={{ decision: 'approved' }}
    title={`学位评定 ${formatNumber(ticked?.rows.length ?? 0)}人`}
    okText="提交评定"
    action={() =>
      formAction(decideDegrees, ({ done }) => `已评定${formatNumber(done)}人`, { items: ticked?.rows.map(itemOf) })
    }
    onSaved={(answer) => {
      ticked?.done(answer.failed)
      if (answer.failed.length > 0) tellFailures('学位评定', answer)
    }}
  >
    <Decided name="decision" label="评定" />
    <Decided name="committeeDate" />
    <Decided name="committeeNo" />
    <Decided name="chairName" />
    <Decided name="reason" />
  </FormDrawer>
)

const DegreeFile = ({ id, studentId }: { id: number; studentId: number }) => {
  const request = useRequest()
  const groundsOf = useGround(studentId)
  const query = useQuery({
    queryKey: [viewDegree.path, id],
    queryFn: ({ signal }) => request(viewDegree, { query: { id } }, { signal }),
  })
  return (
    <Loaded query={query}>
      {(view) => (
        <>
          <Descriptions
            column={2}
            data={[
              { key: 'batch', label: '毕业批次', value: view.batchName },
              { key: 'decided', label: '评定人', value: view.decidedByName ?? '—' },
              { key: 'chair', label: '主席', value: view.chairName ?? '—' },
              { key: 'no', label: '学位证书编号', value: view.certificateNo ?? '—' },
            ]}
          />
          <Table
            size="small"
            rowKey="ruleCode"
            border={{ wrapper: true }}
            pagination={false}
            data={view.items}
            columns={[
              { title: '条件', dataIndex: 'ruleName', width: 150 },
              {
                title: '结果',
                width: 90,
                render: (_: unknown, { passed }: Item) => (
                  <Word tone={passed ? 'good' : 'bad'}>{passed ? '✓ 通过' : '✗ 未过'}</Word>
                ),
              },
              { title: '要求', dataIndex: 'required', width: 120 },
              { title: '实际', dataIndex: 'actual', width: 120 },
              { title: '说明', dataIndex: 'explanation' },
              {
                title: '操作',
                width: 110,
                render: (_: unknown, { ruleCode, passed }: Item) =>
                  !passed && <RowActions actions={groundsOf(ruleCode)} />,
              },
            ]}
          />
          {trail({ id })}
        </>
      )}
    </Loaded>
  )
}

/** 学位审核: applications, audited against the rules, decided by the committee, awarded. */
export const DegreesTab = ({ batchId }: { batchId?: number }) => {
  const table = useQueryTable(listDegrees, batchId === undefined ? {} : { usual: { batchId } })
  const apply = useDrawer<object>()
  const decide = useDrawer<Ticked>()
  const report = useDrawer<WholeFile>()
  const audit = useAction(auditDegrees, {
    done: ({ done, jobId }) => (jobId ? IN_BACKGROUND : `已审核${formatNumber(done)}人`),
    onDone: (answer) => {
      if (answer.failed.length > 0) tellFailures('学位审核', answer)
    },
  })
  const shown = batchId ?? (Number(table.filters.batchId) || undefined)
  const ticked = (rows: readonly Degree[]): Ticked => ({ rows, done: (failed) => table.tickRows(failed) })
  const actions = (row: Degree): RowAction[] => [
    {
      label: '审核',
      do: auditDegrees,
      disabled: can.degree(row),
      onClick: () => audit.mutate({ body: { ids: [row.id] } }),
    },
    { label: '评定', do: decideDegrees, disabled: can.degree(row), onClick: () => decide.open(ticked([row])) },
    step(awardDegrees, {
      label: '授予',
      disabled: can.award(row),
      with: { body: { items: [itemOf(row)] } },
      confirm: { title: `授予${row.name}学士学位？`, content: '分配学位证书编号。' },
      done: `已授予${row.name}学位`,
    }),
    { label: '查看', do: viewDegree, onClick: () => table.open(row) },
  ]
  return (
    <>
      <FilterBar table={table}>
        {batchId === undefined ? <OptionFilter of={listDegrees} field="batchId" {...graduationBatches} /> : null}
        <TextFilter of={listDegrees} field="keyword" label="学号或姓名" />
        <EnumFilter of={listDegrees} field="auditResult" label="审核结果" />
        <EnumFilter of={listDegrees} field="decision" label="结论" />
        <EnumFilter of={listDegrees} field="status" label="状态" />
        <OptionFilter of={listDegrees} field="majorId" {...majors} />
        <OptionFilter of={listDegrees} field="siteId" {...sites} />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={({ name }) => name}
        primary={
          <div className="graduation-bar">
            <Can do={saveDegree}>
              <Button type="primary" icon={<IconPlus />} onClick={() => apply.open({})}>
                代申请
              </Button>
            </Can>
            <Can do={auditDegrees}>
              <Button
                disabled={shown === undefined}
                title={shown === undefined ? '请先在筛选中选择毕业批次' : undefined}
                loading={audit.isPending}
                onClick={() => audit.mutate({ body: { batchId: shown } })}
              >
                审核本批次
              </Button>
            </Can>
          </div>
        }
        tools={
          <Can do={exportDegrees}>
            <Button
              disabled={table.total === 0}
              title={table.total === 0 ? '没有可上报的学位申请' : undefined}
              onClick={() => report.open({ do: exportDegrees, body: filterOf(table.body), name: '学位上报.xlsx' })}
            >
              导出上报数据
            </Button>
          </Can>
        }
        bulk={[
          { label: '批量审核', do: auditDegrees, open: (ids) => audit.mutate({ body: { ids: [...ids] } }) },
          { label: '批量评定', do: decideDegrees, open: () => decide.open(ticked(table.tickedRows)) },
          bulkStep(awardDegrees, {
            label: '批量授予',
            confirm: (count) => ({
              title: `授予选中的${formatNumber(count)}人学士学位？`,
              content: '分配学位证书编号。',
            }),
            input: () => ({ body: { items: table.tickedRows.map(itemOf) } }),
          }),
        ]}
        file={({ id, studentId }) => <DegreeFile id={id} studentId={studentId} />}
        actionsWidth={190}
        actions={(row) => byState(actions(row))}
        empty="还没有学位申请。批次开放学位申请后，本科毕业生在客户端申请，也可以代申请。"
      />
      <ApplyForm key={`apply-${apply.key}`} {...apply.props} batchId={shown} />
      <DecideForm key={`decide-${decide.key}`} {...decide.props} />
      <WholeDialog key={`report-${report.key}`} {...report.props} />
    </>
  )
}
