import { Alert, Button, Drawer, Form, Space, Switch, Table } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import type { DataOf } from '@/api/operation'
import { useRequest } from '@/api/schoolContext'
import type { BulkResult, Saved } from '@/api/types/shared'
import { levels, majors, sites } from '@/basic_data/choices'
import type { RowAction } from '@/kit/actions'
import { byState } from '@/kit/actions'
import { tellFailures } from '@/kit/BulkBar'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { DialogName } from '@/kit/DialogName'
import { ExportButton } from '@/kit/ExportButton'
import { fieldsOf } from '@/kit/Field'
import { FileLink } from '@/kit/FileLink'
import { FileUpload } from '@/kit/FileUpload'
import { FilterBar } from '@/kit/FilterBar'
import { FormDrawer } from '@/kit/FormDrawer'
import { EnumFilter, OptionFilter, TextFilter } from '@/kit/filters'
import { formAction } from '@/kit/formAction'
import { formatNumber } from '@/kit/format'
import { ImportButton } from '@/kit/ImportWizard'
import { Loaded } from '@/kit/Loaded'
import { QueryTable } from '@/kit/QueryTable'
import { Word } from '@/kit/Status'
import { useAction } from '@/kit/useAction'
import { type DrawerProps, useDrawer } from '@/kit/useDrawer'
import { filterOf, useFileOf } from '@/kit/useFileOf'
import { useQueryTable } from '@/kit/useQueryTable'
import { historyOf } from '@/logs/RecordHistory'
import {
  allocateCertificates,
  exportCertificates,
  fetchCertificateImportTemplate,
  importCertificates,
  issueCertificates,
  listCertificates,
  printCertificateRegister,
  printCertificates,
  reissueCertificate,
  viewCertificate,
  voidCertificate,
} from './api'
import { type Certificate, can, certificateTones } from './certificateWords'

type Level = DataOf<typeof allocateCertificates>['levels'][number]

const trail = historyOf(viewCertificate, 'certificate')

const columns = columnsOf(listCertificates, [
  { field: 'name', width: 110, fixed: 'left' },
  { field: 'studentNo', under: 'name' },
  { field: 'status', title: '状态', width: 84, fixed: 'left', tones: certificateTones },
  { field: 'number', width: 200 },
  { field: 'kind', title: '种类', width: 120 },
  { field: 'level', width: 90 },
  { field: 'major', width: 150 },
  { field: 'siteName', width: 140 },
  { field: 'receiver', width: 100 },
  { field: 'receiverRelation', width: 100 },
  { field: 'receiverIdCardNo', width: 180, hidden: true },
  { field: 'issuedOn', width: 110 },
  { field: 'printCount', width: 90 },
  { field: 'toldAt', width: 170, hidden: true },
  {
    field: 'registerResult',
    title: '注册结果',
    width: 100,
    tones: { success: 'good', failed: 'bad' },
  },
  { field: 'registerMessage', width: 160, hidden: true },
  { field: 'voidReason', width: 160, hidden: true },
  { field: 'reissueNo', width: 160, hidden: true },
  { field: 'imported', width: 80, hidden: true },
  { field: 'createdAt', width: 170, hidden: true },
])

/** 证书编号: looked at first, then given. */
const Allocation = ({ record: batch, visible, onClose }: DrawerProps<{ batchId: number }>) => {
  const request = useRequest()
  const preview = useQuery({
    queryKey: [allocateCertificates.path, 'preview', batch?.batchId],
    queryFn: ({ signal }) =>
      request(allocateCertificates, { body: { batchId: batch?.batchId ?? 0, preview: true } }, { signal }),
    enabled: visible && batch !== undefined,
    gcTime: 0,
  })
  const allocate = useAction(allocateCertificates, {
    done: ({ count }) => `已为${formatNumber(count)}人编号`,
    onDone: onClose,
  })
  return (
    <Drawer
      title="证书编号"
      width={640}
      visible={visible}
      onCancel={onClose}
      unmountOnExit
      footer={
        <Space>
          <Button onClick={onClose}>取消</Button>
          <Button
            type="primary"
            disabled={!preview.data || preview.data.count === 0}
            loading={allocate.isPending}
            onClick={() => batch && allocate.mutate({ body: { batchId: batch.batchId, preview: false } })}
          >
            编号{preview.data ? `${formatNumber(preview.data.count)}人` : ''}
          </Button>
        </Space>
      }
    >
      <DialogName name="证书编号" />
      <Loaded query={preview}>
        {({ levels: rows, notNumbered, count }) => (
          <>
            <p className="form-hint">按层次、专业和学号的顺序编号；编号不重复使用，作废的不再分配。</p>
            {count === 0 && <Alert type="info" content="没有需要编号的毕业生" />}
            <Table
              size="small"
              rowKey="levelCode"
              pagination={false}
              data={rows}
              columns={[
                { title: '层次码', dataIndex: 'levelCode', width: 80 },
                { title: '第一个编号', dataIndex: 'first' },
                { title: '最后一个编号', dataIndex: 'last' },
                {
                  title: '人数',
                  width: 80,
                  align: 'right',
                  render: (_: unknown, row: Level) => formatNumber(row.count),
                },
              ]}
            />
            {notNumbered.length > 0 && (
              <>
                <h3>不编号</h3>
                <Table
                  size="small"
                  rowKey="studentId"
                  pagination={{ pageSize: 10, hideOnSinglePage: true }}
                  data={notNumbered}
                  columns={[
                    { title: '姓名', dataIndex: 'name', width: 110 },
                    { title: '学号', dataIndex: 'studentNo', width: 140 },
                    { title: '原因', dataIndex: 'reason' },
                  ]}
                />
              </>
            )}
          </>
        )}
      </Loaded>
    </Drawer>
  )
}

interface Ticked {
  ids: number[]
  title: string
  done: (failed: BulkResult['failed']) => void
}

const Issued = fieldsOf(issueCertificates)

interface Receipt {
  receiver?: string
  relation?: string
  receiverIdCardNo?: string
  issuedOn?: string
  signFileKey?: string
}

/** 发放: to the graduates themselves, or to whoever comes for one of them. */
const IssueForm = ({ record: ticked, ...drawer }: DrawerProps<Ticked>) => (
  <FormDrawer<Receipt, BulkResult>
    {...drawer}
    record={undefined}
    title={ticked?.title ?? '发放证书'}
    okText="发放"
    action={() =>
      formAction(issueCertificates, ({ done }) => `已发放${formatNumber(done)}本证书`, { ids: ticked?.ids })
    }
    onSaved={(answer) => {
      ticked?.done(answer.failed)
      if (answer.failed.length > 0) tellFailures('发放证书', answer)
    }}
  >
    <Issued name="issuedOn" />
    <Issued name="receiver" placeholder="本人" />
    <Issued name="relation" placeholder="本人" />
    <Issued name="receiverIdCardNo" />
    {ticked?.ids.length === 1 && (
      <Issued name="signFileKey">
        <FileUpload type={3} purpose="registration" accept=".jpg,.jpeg,.png" />
      </Issued>
    )}
  </FormDrawer>
)

const Voided = fieldsOf(voidCertificate)

const VoidForm = ({ record: row, ...drawer }: DrawerProps<Certificate>) => (
  <FormDrawer<{ reason?: string; returned?: boolean }, Saved>
    {...drawer}
    record={undefined}
    initial={{ returned: false }}
    title={`作废证书 ${row?.number ?? ''}`}
    okText="作废"
    danger
    action={() =>
      formAction(voidCertificate, `已作废${row?.number}`, { id: row?.id, version: row?.version, returned: false })
    }
  >
    <p className="form-hint">作废的编号不再使用，需要时重新编号。</p>
    <Voided name="reason" />
    {row?.status === 'issued' && (
      <Form.Item field="returned" label="已收回证书" triggerPropName="checked" extra="已发放的证书必须先收回">
        <Switch aria-label="已收回证书" />
      </Form.Item>
    )}
  </FormDrawer>
)

const Reissued = fieldsOf(reissueCertificate)

const ReissueForm = ({ record: row, ...drawer }: DrawerProps<Certificate>) => (
  <FormDrawer<{ number?: string; reason?: string }, Saved>
    {...drawer}
    record={undefined}
    title={`补办证明书 ${row?.name ?? ''}`}
    action={() => formAction(reissueCertificate, '已登记证明书', { id: row?.id, version: row?.version })}
  >
    <p className="form-hint">证书遗失不补发，出具证明书；原证书编号不变。</p>
    <Reissued name="number" label="证明书编号" />
    <Reissued name="reason" />
  </FormDrawer>
)

/** The signature of who fetched a certificate; nothing where none was kept. */
const Signature = ({ id }: { id: number }) => {
  const request = useRequest()
  const look = () => request(viewCertificate, { query: { id } })
  const { data } = useQuery({ queryKey: [viewCertificate.path, id], queryFn: look })
  return data?.signFileUrl ? <FileLink name="领取人签名" address={async () => (await look()).signFileUrl} /> : null
}

/** 证书 of a batch of graduates: numbered, printed, issued. */
export const CertificatesTab = ({ batchId }: { batchId: number }) => {
  const table = useQueryTable(listCertificates, { usual: { batchId } })
  const allocation = useDrawer<{ batchId: number }>()
  const issue = useDrawer<Ticked>()
  const voiding = useDrawer<Certificate>()
  const reissue = useDrawer<Certificate>()
  const overlay = useFileOf(printCertificates)
  const register = useFileOf(printCertificateRegister)
  const print = (ids: readonly number[]) => overlay.mutate({ input: { body: { ids: [...ids] } }, name: '证书套打.pdf' })
  const give = (ids: readonly number[], title: string) =>
    issue.open({ ids: [...ids], title, done: (failed) => table.tickRows(failed) })
  const actions = (row: Certificate): RowAction[] => [
    { label: '套打', do: printCertificates, disabled: can.void(row), onClick: () => print([row.id]) },
    {
      label: '发放',
      do: issueCertificates,
      disabled: can.issue(row),
      onClick: () => give([row.id], `发放证书 ${row.name}`),
    },
    { label: '补办证明书', do: reissueCertificate, disabled: can.reissue(row), onClick: () => reissue.open(row) },
    { label: '作废', do: voidCertificate, danger: true, disabled: can.void(row), onClick: () => voiding.open(row) },
    { label: '查看', do: viewCertificate, onClick: () => table.open(row) },
  ]
  return (
    <>
      <FilterBar table={table}>
        <TextFilter of={listCertificates} field="keyword" label="学号或姓名" />
        <TextFilter of={listCertificates} field="number" />
        <EnumFilter of={listCertificates} field="kind" label="种类" />
        <EnumFilter of={listCertificates} field="status" label="状态" />
        <OptionFilter of={listCertificates} field="siteId" {...sites} />
        <OptionFilter of={listCertificates} field="levelId" {...levels} />
        <OptionFilter of={listCertificates} field="majorId" {...majors} />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={({ name }) => name}
        primary={
          <Space size={8}>
            <Can do={allocateCertificates}>
              <Button type="primary" onClick={() => allocation.open({ batchId })}>
                证书编号
              </Button>
            </Can>
            <Can do={printCertificateRegister}>
              <Button
                disabled={table.total === 0}
                title={table.total === 0 ? '没有可打印的证书' : undefined}
                loading={register.isPending}
                onClick={() => register.mutate({ input: { body: filterOf(table.body) }, name: '证书发放登记表.pdf' })}
              >
                打印发放登记表
              </Button>
            </Can>
          </Space>
        }
        tools={
          <Space size={4}>
            <ImportButton do={importCertificates} template={fetchCertificateImportTemplate} what="证书编号" />
            <ExportButton do={exportCertificates} table={table} />
          </Space>
        }
        bulk={[
          { label: '套打证书', do: printCertificates, open: print },
          {
            label: '批量发放',
            do: issueCertificates,
            open: (ids) => give(ids, `发放${formatNumber(ids.length)}本证书`),
          },
          {
            label: '打印发放登记表',
            do: printCertificateRegister,
            open: (ids) => register.mutate({ input: { body: { ids: [...ids] } }, name: '证书发放登记表.pdf' }),
          },
        ]}
        detail={(row) => (
          <>
            {row.reissueNo && <Word tone="warning">已补办证明书 {row.reissueNo}</Word>}
            {row.status === 'issued' && <Signature id={row.id} />}
            {trail(row)}
          </>
        )}
        actionsWidth={180}
        actions={(row) => byState(actions(row))}
        empty="还没有证书。批次确认后“证书编号”，或导入在别处编好的号码。"
      />
      <Allocation key={`allocation-${allocation.key}`} {...allocation.props} />
      <IssueForm key={`issue-${issue.key}`} {...issue.props} />
      <VoidForm key={`void-${voiding.key}`} {...voiding.props} />
      <ReissueForm key={`reissue-${reissue.key}`} {...reissue.props} />
    </>
  )
}
