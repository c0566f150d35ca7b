import { Alert } from '@arco-design/web-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { RowOf } from '@/api/operation'
import { useRequest } from '@/api/schoolContext'
import { yuanOf } from '@/catalogue/courseContent'
import { bulkStep } from '@/kit/actions'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { DateRangeFilter, TextFilter } from '@/kit/filters'
import { Loaded } from '@/kit/Loaded'
import { Masked } from '@/kit/Masked'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { countOf, Segments } from '@/kit/Segments'
import { useDrawer } from '@/kit/useDrawer'
import { filterOf } from '@/kit/useFileOf'
import { useQueryTable } from '@/kit/useQueryTable'
import { historyOf } from '@/logs/RecordHistory'
import { auditExtract, auditExtracts, exportExtracts, listExtracts, payExtract, viewExtract } from './api'
import { DecideExtract, isWaiting, PayExtract, WAITING } from './ExtractForms'
import './lecturers.css'

type Extract = RowOf<typeof listExtracts>

const columns = columnsOf(listExtracts, [
  { field: 'bankUserName', width: 110, fixed: 'left' },
  {
    field: 'status',
    width: 90,
    fixed: 'left',
    tones: { pending: 'busy', approved: 'busy', paid: 'good', rejected: 'bad', failed: 'bad' },
  },
  { field: 'amount', title: '提现金额(元)', width: 120, render: ({ amount }) => yuanOf(amount) },
  { field: 'lecturerName', width: 110 },
  {
    field: 'phone',
    width: 160,
    render: (row) => <Masked entity="extract" id={row.id} field="phone" label="手机" value={row.phone} />,
  },
  {
    field: 'bankCardNo',
    width: 220,
    render: (row) => <Masked entity="extract" id={row.id} field="bankCardNo" label="银行卡号" value={row.bankCardNo} />,
  },
  { field: 'bankName', width: 150 },
  { field: 'bankBranch', width: 160, hidden: true },
  'createdAt',
  { field: 'auditorName', width: 100 },
  { field: 'auditedAt', hidden: true },
  { field: 'payNo', width: 160 },
  { field: 'payerName', width: 100 },
  { field: 'paidAt', hidden: true },
  { field: 'opinion', width: 200 },
])

/** What is read before money goes out. */
const asked = ['bankUserName', 'amount', 'lecturerName', 'phone', 'bankCardNo', 'bankName', 'bankBranch', 'createdAt']
const facts = columns.filter(({ key }) => asked.includes(key))

const tickedSum = (rows: readonly Extract[]) => rows.reduce((sum, { amount }) => sum + amount, 0)

const words = Object.fromEntries(listExtracts.columns.status?.options ?? [])

/** 提现记录: what lecturers take out. */
export const ExtractsPage = () => {
  const table = useQueryTable(listExtracts)
  const request = useRequest()
  const decision = useDrawer<Extract>()
  const payment = useDrawer<Extract>()
  const head = useQuery({
    queryKey: [listExtracts.path, 'sums', table.body],
    queryFn: ({ signal }) =>
      request(listExtracts, { body: { ...filterOf(table.body), pageCurrent: 1, pageSize: 1 } }, { signal }),
    placeholderData: keepPreviousData,
  })
  return (
    <Page title="提现记录" help="审核通过后由另一人线下打款并登记；驳回或打款失败的金额退回讲师账户。" personal>
      <Segments table={table} field="status" label="提现状态" />
      <FilterBar table={table}>
        <TextFilter of={listExtracts} field="name" />
        <TextFilter of={listExtracts} field="phone" />
        <DateRangeFilter of={listExtracts} from="createdFrom" to="createdTo" label="申请日期" />
      </FilterBar>
      <Loaded query={head} rows={1}>
        {({ unbalanced, sums }) => (
          <>
            {unbalanced > 0 && (
              <Alert type="error" content={`${unbalanced}个讲师账户的总收入与流水合计不一致，请停止打款并核对。`} />
            )}
            <p className="figures-line">
              {sums.map(({ status, count, amount }) => (
                <span key={status}>
                  {words[status] ?? status}：{count}笔，{yuanOf(amount)}元
                </span>
              ))}
            </p>
          </>
        )}
      </Loaded>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={(row) => row.bankUserName}
        tools={<ExportButton do={exportExtracts} table={table} />}
        bulk={[
          bulkStep(auditExtracts, {
            label: '批量通过',
            confirm: (count) => ({
              title: `通过选中的${count}笔提现？`,
              content: `共${yuanOf(tickedSum(table.tickedRows))}元，通过后由另一人打款；已审核的保留并说明原因。`,
            }),
            input: (ids) => ({ body: { ids, auditStatus: 'approved' } }),
          }),
        ]}
        detail={historyOf(viewExtract, 'account_extract_log')}
        actionsWidth={150}
        actions={(row) => [
          {
            label: '审核',
            do: auditExtract,
            disabled: isWaiting(row) ? undefined : '该提现已审核',
            onClick: () => decision.open(row),
          },
          {
            label: '打款登记',
            do: payExtract,
            disabled: row.status === 'approved' ? undefined : '审核通过、尚未打款的提现才能登记',
            onClick: () => payment.open(row),
          },
        ]}
        empty="没有提现记录。讲师在网站申请提现后在这里审核和登记打款。"
      />
      <DecideExtract
        key={decision.key}
        {...decision.props}
        columns={facts}
        rows={table.rows}
        waiting={countOf(table.segments, WAITING)}
      />
      <PayExtract key={`pay-${payment.key}`} {...payment.props} />
    </Page>
  )
}
