import { Alert, Form } from '@arco-design/web-react'
import type { Saved, Stepped } from '@/api/types/shared'
import { afterwards, type Selected } from '@/kit/actions'
import { tellFailures } from '@/kit/BulkBar'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import { formatTime } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import { labelOf } from '@/kit/labels'
import type { DrawerProps } from '@/kit/useDrawer'
import { withVersionOf } from '@/kit/versionOf'
import {
  acceptChange,
  auditChange,
  cancelChange,
  fileChanges,
  listChanges,
  rejectChange,
  reviewChangeOfSite,
  reviewChanges,
  revokeChange,
  viewChange,
} from './api'
import { useChange } from './ChangeDetail'
import { Attachments, Compared, StuckAlert, Timeline } from './Compared'
import { approvalWords, mayRenumber, type Row, targetWords } from './changeRules'
import './statusChange.css'

/** The changes that a step is for. */
export interface Ticked extends Selected<{ id: number; version: number }, object> {
  /** The ticked ones in full; none where all that the list names are meant. */
  shown: readonly Row[]
}

/** By what a change is known in a list of failures. */
const numberOf = (ticked: Ticked | undefined) => {
  const numbers = new Map(ticked?.shown.map(({ id, changeNo }) => [id, changeNo]))
  return ({ id }: { id: number }) => numbers.get(id)
}

const REASON = '2至200个字符，学生可以看到'

interface Item {
  id: number
  version: number
}

const itemOf = ({ id, version }: Row): Item => ({ id, version })

const reload = withVersionOf(viewChange)

/** 转专业 张三: what it is about, in the words of a title and of what was done. */
const called = (row: Row | undefined) => (row ? `“${row.name}”的${labelOf(listChanges, 'type', row.type)}` : '')

/** What is decided about: both placements beside what proves the reason. */
const Subject = ({ row }: { row: Row }) => (
  <div className="form-wide change-subject">
    <Loaded query={useChange(row.id)} rows={8}>
      {(change) => (
        <>
          <StuckAlert change={change} />
          <p className="form-lead">
            {labelOf(listChanges, 'type', change.type)} · {targetWords(change)} · {change.reason}
          </p>
          <div className="change-audit">
            <Compared change={change} />
            <div>
              <Attachments change={change} />
              <Timeline change={change} />
            </div>
          </div>
        </>
      )}
    </Loaded>
  </div>
)

const SUBJECT_PX = 960

interface Reviewed extends Item {
  result?: 'pass' | 'reject'
  remark?: string | null
}

const Review = fieldsOf(reviewChangeOfSite)

const Opinion = () => {
  const { form } = Form.useFormContext()
  const rejects = Form.useWatch('result', form) === 'reject'
  return (
    <>
      <Review name="result" label="审核结果" />
      <Review
        name="remark"
        label={rejects ? '原因' : '意见'}
        required={rejects}
        help={rejects ? REASON : '不填时为同意'}
      />
    </>
  )
}

interface ReviewFormProps extends DrawerProps<Row> {
  operation: typeof reviewChangeOfSite | typeof acceptChange
  title: string
}

const ReviewForm = ({ record, operation, title, ...drawer }: ReviewFormProps) => (
  <FormDrawer<Reviewed, Saved>
    {...drawer}
    record={record && { ...itemOf(record), result: 'pass' }}
    width={SUBJECT_PX}
    title={`${title} ${record?.name ?? ''}`}
    action={(decision) => formAction(operation, `已审核${called(record)}`, decision)}
    reload={reload}
  >
    {record && <Subject row={record} />}
    <Opinion />
  </FormDrawer>
)

/** 站点审核: what the site of the student thinks of it. */
export const SiteReviewForm = (drawer: DrawerProps<Row>) => (
  <ReviewForm {...drawer} operation={reviewChangeOfSite} title="站点审核" />
)

/** 接收审核: whether the other site takes the student. */
export const AcceptForm = (drawer: DrawerProps<Row>) => (
  <ReviewForm {...drawer} operation={acceptChange} title="接收审核" />
)

interface Audited extends Item {
  remark?: string | null
  renumber?: boolean
  effectiveOn?: string | null
}

const Audit = fieldsOf(auditChange)

/** 审批: the school approves; on its day it takes effect. */
export const AuditForm = ({ record, ...drawer }: DrawerProps<Row>) => (
  <FormDrawer<Audited, Saved>
    {...drawer}
    record={record && { ...itemOf(record), renumber: record.renumber, effectiveOn: record.effectiveOn }}
    width={SUBJECT_PX}
    title={`审批学籍异动 ${record?.name ?? ''}`}
    okText="批准"
    action={(decision) => formAction(auditChange, `已批准${called(record)}`, decision)}
    reload={reload}
  >
    {record && <Subject row={record} />}
    <Audit name="effectiveOn" help="不晚于今天的立即生效；不填时按申请的日期，申请也没有时为今天" />
    {mayRenumber(record?.type) && <Audit name="renumber" help="生效时按新专业重新编学号" />}
    <Audit name="remark" help="不填时为同意；不批准的请用“驳回”" />
  </FormDrawer>
)

interface Told extends Item {
  remark?: string | null
}

const Reject = fieldsOf(rejectChange)

/** 驳回, with the reason. */
export const RejectForm = ({ record, ...drawer }: DrawerProps<Row>) => (
  <FormDrawer<Told, Saved>
    {...drawer}
    record={record && itemOf(record)}
    title={`驳回学籍异动 ${record?.name ?? ''}`}
    okText="驳回"
    danger
    action={(decision) => formAction(rejectChange, `已驳回${called(record)}`, decision)}
    reload={reload}
  >
    {record && (
      <p className="form-hint">{`${called(record)}：${targetWords(record)}。驳回后学生信息不变，可重新申请。`}</p>
    )}
    <Reject name="remark" label="原因" required help={REASON} />
  </FormDrawer>
)

const Cancel = fieldsOf(cancelChange)

/** 撤回: nothing is decided any more. */
export const CancelForm = ({ record, ...drawer }: DrawerProps<Row>) => (
  <FormDrawer<Told, Saved>
    {...drawer}
    record={record && itemOf(record)}
    title={`撤回学籍异动 ${record?.name ?? ''}`}
    okText="撤回"
    danger
    action={(decision) => formAction(cancelChange, `已撤回${called(record)}`, decision)}
    reload={reload}
  >
    <p className="form-hint">撤回后不再审批，学生信息不变，可重新申请。</p>
    <Cancel name="remark" />
  </FormDrawer>
)

const Revoke = fieldsOf(revokeChange)

/** 撤销: what has taken effect is undone. */
export const RevokeForm = ({ record, ...drawer }: DrawerProps<Row>) => (
  <FormDrawer<Told, Saved>
    {...drawer}
    record={record && itemOf(record)}
    title={`撤销学籍异动 ${record?.name ?? ''}`}
    okText="撤销"
    danger
    action={(decision) => formAction(revokeChange, `已撤销${called(record)}`, decision)}
    reload={reload}
  >
    <Alert
      className="form-lead"
      type="warning"
      content="学生恢复为异动前的年级、专业、站点、班级和学籍状态；异动后又有变化的不能撤销。"
    />
    <Revoke name="remark" label="原因" required help="2至200个字符" />
  </FormDrawer>
)

const Many = fieldsOf(reviewChanges)

interface ManyProps extends DrawerProps<Ticked> {
  result: 'pass' | 'reject'
}

const ManyForm = ({ record, result, ...drawer }: ManyProps) => {
  const label = result === 'pass' ? '批量审批' : '批量驳回'
  return (
    <FormDrawer<{ remark?: string | null }, Stepped>
      {...drawer}
      record={undefined}
      title={`${label}${record?.count ?? 0}条学籍异动`}
      okText={result === 'pass' ? '批准' : '驳回'}
      danger={result === 'reject'}
      action={() =>
        formAction(
          reviewChanges,
          ({ done }) => afterwards(record, `${label}已完成，${result === 'pass' ? '批准' : '驳回'}${done}条`),
          { ...record?.rows, result },
        )
      }
      onSaved={(answer) => {
        record?.done(answer.failed)
        if (answer.failed.length > 0) tellFailures(label, answer, numberOf(record))
      }}
    >
      {result === 'pass' && (
        <Alert
          className="form-lead"
          type="warning"
          content={
            record && record.shown.length > 0
              ? approvalWords(record.shown, formatTime(new Date(), 'YYYY-MM-DD'))
              : '生效日期不晚于今天或没有填写的立即生效；退学、转学的学生离校，账号停用。'
          }
        />
      )}
      <p className="form-hint">
        {result === 'pass'
          ? '只批准待学校审批的异动，生效日期按申请；不符合条件的会保留并说明原因。'
          : '未批准的异动均可驳回，学生信息不变；其他的会保留并说明原因。'}
      </p>
      {result === 'pass' ? (
        <Many name="remark" help="不填时为同意" />
      ) : (
        <Many name="remark" label="原因" required help={REASON} />
      )}
    </FormDrawer>
  )
}

/** 批量审批. */
export const ApproveManyForm = (drawer: DrawerProps<Ticked>) => <ManyForm {...drawer} result="pass" />

/** 批量驳回. */
export const RejectManyForm = (drawer: DrawerProps<Ticked>) => <ManyForm {...drawer} result="reject" />

const Filing = fieldsOf(fileChanges)

/** 登记备案文号: the paper by which the province has filed them. */
export const FilingForm = ({ record, ...drawer }: DrawerProps<Ticked>) => (
  <FormDrawer<{ filingNo?: string; filedOn?: string }, Stepped>
    {...drawer}
    record={undefined}
    title={`登记${record?.count ?? 0}条异动的备案文号`}
    action={() => formAction(fileChanges, afterwards(record, '已登记备案文号'), record?.rows)}
    onSaved={(answer) => {
      record?.done(answer.failed)
      if (answer.failed.length > 0) tellFailures('登记备案文号', answer, numberOf(record))
    }}
  >
    <p className="form-hint">只登记已批准和已生效的异动；已有文号的以新文号为准。</p>
    <Filing name="filingNo" />
    <Filing name="filedOn" />
  </FormDrawer>
)
