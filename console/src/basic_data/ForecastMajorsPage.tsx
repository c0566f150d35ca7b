import { Button, Space } from '@arco-design/web-react'
import { IconCopy, IconPlus, IconPrinter } from '@arco-design/web-react/icon'
import { listOptions } from '@/api/infra'
import type { RowOf } from '@/api/operation'
import { isOverAll, useCall, useSchoolContext } from '@/api/schoolContext'
import { bulkStep, step, withSchool } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { FileLink } from '@/kit/FileLink'
import { FilterBar } from '@/kit/FilterBar'
import { EnumFilter, OptionFilter, TextFilter } from '@/kit/filters'
import { formatNumber } from '@/kit/format'
import { ImportButton } from '@/kit/ImportWizard'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { askRemoval, removal } from '@/kit/steps'
import { useDrawer } from '@/kit/useDrawer'
import { useQueryTable } from '@/kit/useQueryTable'
import { historyOf } from '@/logs/RecordHistory'
import {
  acceptForecastMajors,
  copyForecastMajors,
  deleteForecastMajor,
  deleteForecastMajors,
  editForecastMajor,
  exportForecastMajors,
  fetchFilingResultTemplate,
  importFilingResults,
  listForecastMajors,
  rejectForecastMajors,
  saveForecastMajor,
  submitForecastMajors,
  viewForecastMajor,
  withdrawForecastMajor,
} from './api'
import { basicOptions } from './BasicSelect'
import { ForecastMajorForm } from './ForecastMajorForm'
import { AcceptForm, CopyForm, type Filings, RejectForm, WithdrawForm } from './ForecastSteps'
import { type FilingsOfYear, ForecastSummary } from './ForecastSummary'

type ForecastMajor = RowOf<typeof listForecastMajors>

const Basis = ({ filing: { id, basisName } }: { filing: ForecastMajor }) => {
  const call = useCall()
  const address = async () => (await call(viewForecastMajor, { query: { id } })).basisUrl
  return <FileLink name={basisName} address={address} />
}

const columns = columnsOf(listForecastMajors, [
  { field: 'name', width: 200, fixed: 'left' },
  {
    field: 'status',
    width: 90,
    fixed: 'left',
    tones: { submitted: 'busy', filed: 'good', rejected: 'bad', withdrawn: 'quiet' },
  },
  { field: 'year', width: 90 },
  { field: 'gradeName', title: '年级', width: 90 },
  { field: 'levelName', title: '层次', width: 90 },
  'studyForm',
  { field: 'schoolingYears', width: 70 },
  { field: 'plannedQuota', width: 90 },
  {
    field: 'tuitionPerYear',
    title: '学费(元/年)',
    width: 110,
    render: (filing) => (filing.tuitionPerYear == null ? '—' : formatNumber(filing.tuitionPerYear / 100)),
  },
  { field: 'siteCount', width: 80 },
  { field: 'filingNo', width: 150 },
  { field: 'filedOn', hidden: true },
  { field: 'filingResult', hidden: true },
  {
    field: 'sites',
    hidden: true,
    render: (filing) => filing.sites.map(({ name }) => name).join('、') || '—',
  },
  { field: 'majorCode', hidden: true },
  { field: 'nationalCode', hidden: true },
  { field: 'basis', hidden: true },
  { field: 'basisName', title: '依据附件', hidden: true, render: (filing) => <Basis filing={filing} /> },
])

const itemOf = ({ id, version }: ForecastMajor) => ({ id, version })

/** Only what was not sent yet, or came back, may be changed; only a draft may go. */
const whyFixed = ({ status }: ForecastMajor) => {
  if (status === 'draft' || status === 'rejected') return undefined
  return status === 'withdrawn' ? '已撤销的专业不能修改' : '已上报的专业不能修改，请先退回'
}

/** 拟招生专业: what the school files for a year, and what the ministry answered. */
export const ForecastMajorsPage = () => {
  const table = useQueryTable(listForecastMajors)
  const form = useDrawer<ForecastMajor>()
  const accept = useDrawer<Filings>()
  const reject = useDrawer<Filings>()
  const withdraw = useDrawer<ForecastMajor>()
  const copy = useDrawer<object>()
  const summary = useDrawer<FilingsOfYear>()
  const overAll = isOverAll(useSchoolContext())
  const { year } = table.filters
  const chosen = (): Filings => ({
    items: table.tickedRows.map((row) => withSchool(row, itemOf(row))),
    done: table.clearSelection,
  })
  const one = (row: ForecastMajor): Filings => ({
    items: [withSchool(row, itemOf(row))],
    name: row.name,
    done: table.clearSelection,
  })
  const stepsOf = (row: ForecastMajor) => [
    ...(row.status === 'draft'
      ? [
          step(submitForecastMajors, {
            label: '上报',
            with: { body: { items: [itemOf(row)] } },
            confirm: { title: `上报“${row.name}”？`, content: '上报后不能修改，等待备案结果。' },
            done: `已上报“${row.name}”`,
          }),
        ]
      : []),
    ...(row.status === 'submitted'
      ? [
          { label: '备案通过', do: acceptForecastMajors, onClick: () => accept.open(one(row)) },
          { label: '未通过', do: rejectForecastMajors, danger: true, onClick: () => reject.open(one(row)) },
        ]
      : []),
    ...(row.status === 'draft' || row.status === 'submitted' || row.status === 'filed'
      ? [{ label: '撤销', do: withdrawForecastMajor, danger: true, onClick: () => withdraw.open(row) }]
      : []),
  ]
  return (
    <Page title="拟招生专业" help="每年向主管部门申报备案的专业；只有已备案的专业可以编制招生计划。">
      <FilterBar table={table}>
        <TextFilter of={listForecastMajors} field="keyword" />
        <TextFilter of={listForecastMajors} field="year" />
        <OptionFilter of={listForecastMajors} field="levelId" options={listOptions} query={basicOptions('level')} />
        <EnumFilter of={listForecastMajors} field="studyForm" />
        <EnumFilter of={listForecastMajors} field="status" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={(row) => `${row.year}年 ${row.name}`}
        primary={
          <Space>
            <Can do={saveForecastMajor}>
              <Button type="primary" icon={<IconPlus />} onClick={() => form.open()}>
                新增拟招生专业
              </Button>
            </Can>
            <Can do={copyForecastMajors}>
              <Button icon={<IconCopy />} onClick={() => copy.open()}>
                从上年复制
              </Button>
            </Can>
          </Space>
        }
        tools={
          <>
            <ImportButton do={importFilingResults} template={fetchFilingResultTemplate} what="备案结果" />
            {!overAll && (
              <Button
                icon={<IconPrinter />}
                disabled={!year}
                title={year ? undefined : '请先按招生年份查询'}
                onClick={() => summary.open({ ...table.body, year: Number(year) })}
              >
                汇总表
              </Button>
            )}
            <ExportButton do={exportForecastMajors} table={table} />
          </>
        }
        bulk={[
          bulkStep(submitForecastMajors, {
            label: '批量上报',
            confirm: (count) => ({ title: `上报选中的${count}个专业？`, content: '上报后不能修改，等待备案结果。' }),
            input: () => ({ body: { items: table.tickedRows.map(itemOf) } }),
          }),
          { label: '批量备案通过', do: acceptForecastMajors, open: () => accept.open(chosen()) },
          { label: '批量未通过', do: rejectForecastMajors, open: () => reject.open(chosen()) },
          bulkStep(deleteForecastMajors, {
            label: '批量删除',
            danger: true,
            confirm: askRemoval('拟招生专业'),
            input: (ids) => ({ body: { ids } }),
          }),
        ]}
        detail={historyOf(viewForecastMajor, 'forecast_major')}
        actionsWidth={210}
        actions={(row) => [
          { label: '编辑', do: editForecastMajor, disabled: whyFixed(row), onClick: () => form.open(row) },
          ...stepsOf(row),
          ...(row.status === 'draft' ? [removal(deleteForecastMajor, row)] : []),
        ]}
        empty="还没有拟招生专业。可新增，或从上年复制。"
      />
      <ForecastMajorForm key={form.key} {...form.props} />
      <AcceptForm key={`accept-${accept.key}`} {...accept.props} />
      <RejectForm key={`reject-${reject.key}`} {...reject.props} />
      <WithdrawForm key={`withdraw-${withdraw.key}`} {...withdraw.props} />
      <CopyForm key={`copy-${copy.key}`} {...copy.props} />
      <ForecastSummary key={`summary-${summary.key}`} {...summary.props} />
    </Page>
  )
}
