import { Button, Descriptions, Empty, Space } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearchParams } from 'react-router'
import type { DataOf } from '@/api/operation'
import { useRequest } from '@/api/schoolContext'
import type { Saved } from '@/api/types/shared'
import { grades, levels, majors, sites } from '@/basic_data/choices'
import { allocateCertificates, listCertificates } from '@/certificates/api'
import { CertificatesTab } from '@/certificates/CertificatesTab'
import { bulkStep, IN_BACKGROUND, itemOf, type RowAction, step } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { Chart } from '@/kit/Chart'
import { columnsOf, show } from '@/kit/columns'
import { confirm } from '@/kit/confirm'
import { ExportButton } from '@/kit/ExportButton'
import { fieldsOf } from '@/kit/Field'
import { FilterBar } from '@/kit/FilterBar'
import { FormDrawer } from '@/kit/FormDrawer'
import { EnumFilter, NumberFilter, TextFilter } from '@/kit/filters'
import { formAction } from '@/kit/formAction'
import { formatNumber, formatTime } from '@/kit/format'
import { ImportButton } from '@/kit/ImportWizard'
import { Loaded } from '@/kit/Loaded'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { RowActions } from '@/kit/RowActions'
import { SeveralOptions } from '@/kit/SeveralOptions'
import { askRemoval, removal } from '@/kit/steps'
import { TabList } from '@/kit/TabList'
import { useAction } from '@/kit/useAction'
import { type DrawerProps, useDrawer } from '@/kit/useDrawer'
import { usePageTab } from '@/kit/usePageTab'
import { useQueryTable } from '@/kit/useQueryTable'
import { historyOf } from '@/logs/RecordHistory'
import { paths } from '@/paths'
import {
  archiveGraduationBatch,
  auditGraduationBatch,
  confirmGraduationBatch,
  deleteGraduationBatch,
  deleteGraduationBatches,
  editGraduationBatch,
  exportGraduationBatches,
  exportGraduationRegister,
  fetchGraduationRegisterTemplate,
  generateGraduates,
  importGraduationRegister,
  listGraduates,
  listGraduationBatches,
  registerGraduationBatch,
  saveGraduationBatch,
  startGraduationBatch,
  viewGraduationBatch,
} from './api'
import { DegreesTab } from './DegreesTab'
import { GraduatesTab } from './GraduatesTab'
import { type Batch, batchTones, can } from './graduationWords'
import { RulesTab } from './RulesTab'
import { WholeDialog, type WholeFile } from './WholeDialog'
import '@/kit/figures.css'
import './graduation.css'

type BatchView = DataOf<typeof viewGraduationBatch>

const trail = historyOf(viewGraduationBatch, 'graduation_batch')

const columns = columnsOf(listGraduationBatches, [
  { field: 'name', width: 180, fixed: 'left' },
  { field: 'code', under: 'name' },
  { field: 'status', title: '状态', width: 84, fixed: 'left', tones: batchTones },
  { field: 'year', width: 70 },
  { field: 'season', title: '季节', width: 70 },
  { field: 'kind', title: '类型', width: 110 },
  { field: 'graduatesOn', width: 110 },
  { field: 'total', width: 80 },
  {
    field: 'passed',
    title: '符合/不符合',
    width: 110,
    render: ({ passed, failed }) => `${formatNumber(passed)} / ${formatNumber(failed)}`,
  },
  { field: 'decided', width: 80 },
  {
    field: 'graduates',
    title: '毕业/结业/延期/肄业',
    width: 170,
    render: (row) =>
      [row.graduates, row.completions, row.delays, row.incompletes].map((count) => formatNumber(count)).join(' / '),
  },
  { field: 'stale', width: 100 },
  { field: 'numbered', width: 110 },
  { field: 'confirmedByName', width: 100, hidden: true },
  { field: 'confirmedAt', width: 170, hidden: true },
  { field: 'auditStartsOn', width: 110, hidden: true },
  { field: 'auditEndsOn', width: 110, hidden: true },
  { field: 'collectPlace', width: 180, hidden: true },
  { field: 'collectFrom', width: 130, hidden: true },
])

const Field = fieldsOf(saveGraduationBatch)
const NOBODY_LEFT_OUT = { gradeIds: [], levelIds: [], majorIds: [], siteIds: [] }

const BatchForm = ({ record: batch, ...drawer }: DrawerProps<Batch>) => (
  <FormDrawer<Batch, Saved>
    {...drawer}
    record={batch}
    width={720}
    title={batch ? `编辑毕业批次 ${batch.name}` : '新增毕业批次'}
    initial={{ kind: 'regular', degreeEnabled: false, year: new Date().getFullYear(), ...NOBODY_LEFT_OUT }}
    action={(held) =>
      held
        ? formAction(editGraduationBatch, '已保存毕业批次', held)
        : formAction(saveGraduationBatch, '已新增毕业批次，启动后生成名单', NOBODY_LEFT_OUT)
    }
    reload={({ id }, call) => call(viewGraduationBatch, { query: { id } })}
  >
    <Field name="code" />
    <Field name="name" />
    <Field name="year" />
    <Field name="season" label="季节" />
    <Field name="kind" label="类型" />
    <Field name="graduatesOn" help="启动前必须填写" />
    <Field name="certificateDate" />
    <Field name="auditStartsOn" />
    <Field name="auditEndsOn" />
    <Field name="degreeEnabled" />
    <Field name="collectPlace" placeholder="按学校设置，或学生所在站点" />
    <Field name="collectFrom" />
    <Field name="gradeIds">
      <SeveralOptions label="年级" placeholder="全部" {...grades} />
    </Field>
    <Field name="levelIds">
      <SeveralOptions label="层次" placeholder="全部" {...levels} />
    </Field>
    <Field name="majorIds">
      <SeveralOptions label="专业" placeholder="全部" {...majors} />
    </Field>
    <Field name="siteIds">
      <SeveralOptions label="站点" placeholder="全部" {...sites} />
    </Field>
    <Field name="remark" />
  </FormDrawer>
)

const reportOf = ({ id, name }: Batch): WholeFile => ({
  do: exportGraduationRegister,
  body: { batchId: id },
  name: `学历注册_${name}.xlsx`,
})

/** The steps of a batch in their order, and the dialog that one of them opens. */
const useSteps = () => {
  const generate = useAction(generateGraduates, { done: ({ added }) => `新列入${formatNumber(added)}名学生` })
  const audit = useAction(auditGraduationBatch, { done: () => IN_BACKGROUND })
  const report = useDrawer<WholeFile>()
  const steps = (batch: Batch): RowAction[] => {
    const own = { body: itemOf(batch) }
    return [
      step(startGraduationBatch, {
        label: '启动',
        disabled: can.start(batch),
        with: own,
        confirm: { title: `启动“${batch.name}”？`, content: '生成预计毕业日期到期的学生名单，进入审核。' },
        done: `已启动“${batch.name}”`,
      }),
      {
        label: '生成名单',
        do: generateGraduates,
        disabled: can.audit(batch),
        onClick: () => generate.mutate({ body: { batchId: batch.id } }),
      },
      {
        label: '审核',
        do: auditGraduationBatch,
        disabled: can.audit(batch),
        onClick: async () => {
          const sure = await confirm({
            title: `审核“${batch.name}”的全部学生？`,
            content: '按毕业条件逐条检查，已有的结论不变。',
          })
          if (sure) audit.mutate({ body: { batchId: batch.id } })
        },
      },
      step(confirmGraduationBatch, {
        label: '确认',
        disabled: can.confirm(batch),
        danger: true,
        with: own,
        confirm: {
          title: `确认“${batch.name}”？`,
          content: `${formatNumber(batch.graduates)}人毕业、${formatNumber(batch.completions)}人结业、${formatNumber(batch.incompletes)}人肄业：学籍随之改变，成绩锁定，建立档案，通知学生。`,
        },
        done: `已确认“${batch.name}”`,
      }),
      {
        label: '学历注册导出',
        do: exportGraduationRegister,
        disabled: can.report(batch),
        onClick: () => report.open(reportOf(batch)),
      },
      step(registerGraduationBatch, {
        label: '注册完成',
        disabled: can.register(batch),
        with: own,
        confirm: { title: `“${batch.name}”已在学信网注册完成？`, content: '全部证书都须编号，并已导入注册结果。' },
        done: `“${batch.name}”已注册`,
      }),
      step(archiveGraduationBatch, {
        label: '归档',
        disabled: can.archive(batch),
        with: own,
        confirm: { title: `归档“${batch.name}”？`, content: '全部毕业档案都须已归档。' },
        done: `已归档“${batch.name}”`,
      }),
    ]
  }
  return { steps, dialog: <WholeDialog key={report.key} {...report.props} /> }
}

/** 未过条件: how many fail each rule. */
const FailedRules = ({ rules }: { rules: BatchView['failedRules'] }) => (
  <Chart
    data={{
      title: '未过条件人数',
      kind: 'bar',
      unit: '人',
      series: [{ name: '人数', points: rules.map(({ ruleName, count }) => ({ name: ruleName, value: count })) }],
    }}
  />
)

/** 概况: from listed to graduated, and what keeps the others. */
const Overview = ({ batch }: { batch: BatchView }) => (
  <section aria-label="批次概况">
    <Descriptions
      column={3}
      data={[
        { key: 'status', label: '状态', value: show(listGraduationBatches, 'status', batch.status, batchTones) },
        { key: 'on', label: '毕业日期', value: batch.graduatesOn ?? '未填写' },
        { key: 'certificate', label: '发证日期', value: batch.certificateDate ?? '—' },
        { key: 'audit', label: '审核时间', value: `${batch.auditStartsOn ?? '—'} 至 ${batch.auditEndsOn ?? '—'}` },
        { key: 'stale', label: '审核已过期', value: `${formatNumber(batch.stale)}人` },
        {
          key: 'confirmed',
          label: '确认',
          value: batch.confirmedByName ? `${batch.confirmedByName} ${formatTime(batch.confirmedAt)}` : '未确认',
        },
        { key: 'place', label: '领证地点', value: batch.collectPlace ?? '按学校设置，或学生所在站点' },
        { key: 'from', label: '开始领证', value: batch.collectFrom ?? '证书打印后' },
      ]}
    />
    <h3>办理进度</h3>
    <Chart
      data={{
        title: '办理进度',
        kind: 'bar',
        unit: '人',
        series: [
          {
            name: '人数',
            points: [
              { name: '列入', value: batch.total },
              { name: '审核符合', value: batch.passed },
              { name: '已终审', value: batch.decided },
              { name: '毕业', value: batch.graduates },
              { name: '证书已编号', value: batch.numbered },
            ],
          },
        ],
      }}
    />
    <h3>未过条件</h3>
    <FailedRules rules={batch.failedRules} />
    {trail(batch)}
  </section>
)

/** 学历注册: the file for CHSI, and what came back. */
const Registration = ({ batch }: { batch: Batch }) => {
  const report = useDrawer<WholeFile>()
  return (
    <section aria-label="学历注册">
      <p className="form-hint">
        编号后导出数据在学信网注册，把结果导入，再“注册完成”。填写用途后证件号完整，记入日志。
      </p>
      <Space size={8}>
        <Can do={exportGraduationRegister}>
          <Button
            type="primary"
            disabled={can.report(batch) !== undefined}
            title={can.report(batch)}
            onClick={() => report.open(reportOf(batch))}
          >
            学历注册导出
          </Button>
        </Can>
        <ImportButton
          do={importGraduationRegister}
          template={fetchGraduationRegisterTemplate}
          what="注册结果"
          label="导入注册结果"
        />
        <RowActions
          actions={[
            step(registerGraduationBatch, {
              label: '注册完成',
              disabled: can.register(batch),
              with: { body: itemOf(batch) },
              confirm: {
                title: `“${batch.name}”已在学信网注册完成？`,
                content: '全部证书都须编号，并已导入注册结果。',
              },
              done: `“${batch.name}”已注册`,
            }),
          ]}
        />
      </Space>
      <WholeDialog key={report.key} {...report.props} />
    </section>
  )
}

const tabs = [
  ['overview', '概况'],
  ['graduates', '名单'],
  ['rules', '毕业条件'],
  ['certificates', '证书'],
  ['degrees', '学位'],
  ['registration', '学历注册'],
] as const

/** One batch: its list, conditions, certificates, degrees and registration. */
const OneBatch = ({ id }: { id: number }) => {
  const request = useRequest()
  const navigate = useNavigate()
  const [asked, setTab] = usePageTab()
  const { steps, dialog } = useSteps()
  const tab = tabs.find(([value]) => value === asked)?.[0] ?? 'overview'
  const query = useQuery({
    queryKey: [viewGraduationBatch.path, id],
    queryFn: ({ signal }) => request(viewGraduationBatch, { query: { id } }, { signal }),
  })
  return (
    <Loaded query={query}>
      {(batch) => (
        <>
          <div className="toolbar">
            <Button onClick={() => navigate(paths.graduationBatches)}>返回批次列表</Button>
            <h2>{batch.name}</h2>
            <div className="toolbar-right">
              <RowActions actions={steps(batch)} />
            </div>
          </div>
          <div className="list-tabs">
            <TabList
              label={batch.name}
              tabs={tabs}
              value={tab}
              onChange={(next) => setTab(next === 'overview' ? undefined : next, { batch: String(id) })}
            />
          </div>
          {tab === 'overview' && <Overview batch={batch} />}
          {tab === 'graduates' && <GraduatesTab batchId={id} />}
          {tab === 'rules' && <RulesTab />}
          {tab === 'certificates' && <CertificatesTab batchId={id} />}
          {tab === 'degrees' &&
            (batch.degreeEnabled ? <DegreesTab batchId={id} /> : <Empty description="本批次没有开放学位申请" />)}
          {tab === 'registration' && <Registration batch={batch} />}
          {dialog}
        </>
      )}
    </Loaded>
  )
}

const Batches = () => {
  const table = useQueryTable(listGraduationBatches)
  const form = useDrawer<Batch>()
  const navigate = useNavigate()
  const { steps, dialog } = useSteps()
  const to = (id: number, tab?: string) => navigate(`${paths.graduationBatches}?batch=${id}${tab ? `&tab=${tab}` : ''}`)
  return (
    <>
      <FilterBar table={table}>
        <TextFilter of={listGraduationBatches} field="name" />
        <NumberFilter of={listGraduationBatches} field="year" />
        <EnumFilter of={listGraduationBatches} field="season" label="季节" />
        <EnumFilter of={listGraduationBatches} field="kind" label="类型" />
        <EnumFilter of={listGraduationBatches} field="status" label="状态" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={({ name }) => name}
        primary={
          <Can do={saveGraduationBatch}>
            <Button type="primary" icon={<IconPlus />} onClick={() => form.open()}>
              新增毕业批次
            </Button>
          </Can>
        }
        tools={<ExportButton do={exportGraduationBatches} table={table} />}
        bulk={[
          bulkStep(deleteGraduationBatches, {
            label: '批量删除',
            danger: true,
            confirm: askRemoval('毕业批次'),
            input: (ids) => ({ body: { ids } }),
          }),
        ]}
        detail={trail}
        actionsWidth={210}
        actions={(batch) => [
          { label: '进入批次', do: viewGraduationBatch, onClick: () => to(batch.id) },
          { label: '名单', do: listGraduates, onClick: () => to(batch.id, 'graduates') },
          ...steps(batch),
          {
            label: '证书编号',
            do: allocateCertificates,
            disabled: can.report(batch),
            onClick: () => to(batch.id, 'certificates'),
          },
          { label: '证书', do: listCertificates, onClick: () => to(batch.id, 'certificates') },
          { label: '编辑', do: editGraduationBatch, disabled: can.edit(batch), onClick: () => form.open(batch) },
          { ...removal(deleteGraduationBatch, batch), disabled: can.remove(batch) },
        ]}
        empty="还没有毕业批次。每年春、秋两季各建一个，启动后生成名单、审核、确认。"
      />
      <BatchForm key={form.key} {...form.props} />
      {dialog}
    </>
  )
}

/** 毕业批次: twice a year, from the list of graduates to the diploma (04 §9). */
export const GraduationBatchesPage = () => {
  const [search] = useSearchParams()
  const id = Number(search.get('batch')) || undefined
  return (
    <Page title="毕业批次" help="启动、审核、确认、编号、注册、归档，按顺序办理。" personal>
      {id ? <OneBatch key={id} id={id} /> : <Batches />}
    </Page>
  )
}
