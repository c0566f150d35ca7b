import { Form } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import type { BodyOf, RowOf } from '@/api/operation'
import { useCall } from '@/api/schoolContext'
import { bulkStep } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { fieldsOf } from '@/kit/Field'
import { FileLink } from '@/kit/FileLink'
import { FilterBar } from '@/kit/FilterBar'
import { FormDrawer } from '@/kit/FormDrawer'
import { DateRangeFilter, EnumFilter, TextFilter } from '@/kit/filters'
import { formAction } from '@/kit/formAction'
import { Loaded } from '@/kit/Loaded'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { type Reasoned, ReasonForm } from '@/kit/ReasonForm'
import { Word } from '@/kit/Status'
import { askRemoval, removal } from '@/kit/steps'
import { type DrawerProps, useDrawer } from '@/kit/useDrawer'
import { useQueryTable } from '@/kit/useQueryTable'
import { withVersionOf } from '@/kit/versionOf'
import { historyOf } from '@/logs/RecordHistory'
import {
  auditCommunityCertificate,
  deleteCommunityCertificate,
  deleteCommunityCertificates,
  exportCommunityCertificates,
  listCommunityCertificates,
  revokeCommunityCertificate,
  viewCommunityCertificate,
} from './api'
import { badgeOf, STATUS_TONES } from './standing'
import './community.css'

type Certificate = RowOf<typeof listCommunityCertificates>
type Decision = BodyOf<typeof auditCommunityCertificate>

const NOTHING = <span className="nothing">—</span>

const columns = columnsOf(listCommunityCertificates, [
  { field: 'title', width: 180, fixed: 'left' },
  { field: 'auditStatus', width: 90, fixed: 'left', tones: STATUS_TONES },
  {
    field: 'badge',
    width: 100,
    render: (row) => {
      const badge = badgeOf(row)
      return badge ? <Word tone={badge.tone}>{badge.words}</Word> : NOTHING
    },
  },
  { field: 'certType', width: 100 },
  { field: 'learnerName', width: 120 },
  {
    field: 'expiresOn',
    render: ({ auditStatus, expiresOn }) => expiresOn ?? (auditStatus === 'approved' ? '长期' : NOTHING),
  },
  { field: 'proofCount', title: '证明材料', width: 100 },
  'createdAt',
  { field: 'opinion', width: 200 },
  { field: 'auditorName', width: 100, hidden: true },
  { field: 'auditedAt', hidden: true },
  { field: 'revokeReason', width: 200, hidden: true },
])

const nameOf = ({ title, learnerName }: Certificate) => `${learnerName} ${title}`

/** 证明材料: what a learner sent to prove it; each has an address of some minutes. */
const Proofs = ({ id }: { id: number }) => {
  const call = useCall()
  const query = useQuery({
    queryKey: [listCommunityCertificates.path, viewCommunityCertificate.path, id],
    queryFn: () => call(viewCommunityCertificate, { query: { id } }),
  })
  return (
    <Loaded query={query} rows={2}>
      {({ proofs }) => (
        <div className="community-proofs">
          {proofs.map(({ key, address }, at) => (
            <FileLink
              key={key}
              name={address ? `证明材料${at + 1}` : null}
              address={async () => {
                const anew = await call(viewCommunityCertificate, { query: { id } })
                return anew.proofs.find((proof) => proof.key === key)?.address
              }}
            />
          ))}
        </div>
      )}
    </Loaded>
  )
}

const history = historyOf(viewCommunityCertificate, 'community_certificate')

const Field = fieldsOf(auditCommunityCertificate)

/** 审核: whether a learner is what they say, and until when. */
const DecideCertificate = ({ record, ...drawer }: DrawerProps<Certificate>) => (
  <FormDrawer<Partial<Decision>, { id: number }>
    {...drawer}
    record={record && { id: record.id, version: record.version }}
    title={`审核 ${record ? nameOf(record) : ''}`}
    okText="完成审核"
    action={(decided) => formAction(auditCommunityCertificate, '已审核', decided)}
    reload={withVersionOf(viewCommunityCertificate)}
  >
    {record && (
      <Can do={viewCommunityCertificate}>
        <Proofs id={record.id} />
      </Can>
    )}
    <Field name="auditStatus" />
    <Form.Item noStyle shouldUpdate>
      {({ auditStatus }: Partial<Decision>) => (
        <>
          {auditStatus === 'approved' && <Field name="expiresOn" help="留空为长期有效" />}
          <Field name="opinion" required={auditStatus === 'rejected'} help="不通过时必填，申请人可以看到" />
        </>
      )}
    </Form.Item>
  </FormDrawer>
)

/** 认证管理: learners who want to be known as experts, teachers or organisations. */
export const CommunityCertificatesPage = () => {
  const table = useQueryTable(listCommunityCertificates)
  const decision = useDrawer<Certificate>()
  const reason = useDrawer<Reasoned>()
  const revoke = (row: Certificate) =>
    reason.open({
      do: revokeCommunityCertificate,
      title: `撤销 ${nameOf(row)} 的认证`,
      verb: '撤销',
      hint: '徽章立即不再显示，申请人可以重新申请。',
      body: { id: row.id, version: row.version },
      done: '已撤销认证',
      danger: true,
    })
  return (
    <Page title="认证管理" help="待审核的排在最前；通过且在有效期内的认证作为徽章显示在博主名字旁。" personal>
      <FilterBar table={table}>
        <TextFilter of={listCommunityCertificates} field="learnerName" />
        <TextFilter of={listCommunityCertificates} field="title" />
        <EnumFilter of={listCommunityCertificates} field="certType" />
        <EnumFilter of={listCommunityCertificates} field="auditStatus" />
        <DateRangeFilter of={listCommunityCertificates} from="createdFrom" to="createdTo" label="申请日期" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={nameOf}
        tools={<ExportButton do={exportCommunityCertificates} table={table} />}
        bulk={[
          bulkStep(deleteCommunityCertificates, {
            label: '批量删除',
            danger: true,
            confirm: askRemoval('认证'),
            input: (ids) => ({ body: { ids } }),
          }),
        ]}
        detail={(row) => (
          <>
            <Can do={viewCommunityCertificate}>
              <Proofs id={row.id} />
            </Can>
            {history(row)}
          </>
        )}
        actionsWidth={200}
        actions={(row) => [
          {
            label: '审核',
            do: auditCommunityCertificate,
            disabled: row.auditStatus === 'pending' ? undefined : '该认证已审核',
            onClick: () => decision.open(row),
          },
          {
            label: '撤销',
            do: revokeCommunityCertificate,
            danger: true,
            disabled: row.auditStatus === 'approved' ? undefined : '审核通过的认证才能撤销',
            onClick: () => revoke(row),
          },
          {
            ...removal(deleteCommunityCertificate, { id: row.id, name: nameOf(row) }),
            disabled: row.auditStatus === 'approved' ? '审核通过的认证不能删除，请先撤销' : undefined,
          },
        ]}
        empty="没有认证申请。学员在网站申请后在这里审核。"
      />
      <DecideCertificate key={decision.key} {...decision.props} />
      <ReasonForm key={`reason-${reason.key}`} {...reason.props} />
    </Page>
  )
}
