import { Alert, Button, Drawer, Empty, Input, Space } from '@arco-design/web-react'
import type { RefTextAreaType } from '@arco-design/web-react/es/Input'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { messageOf, tellSuccess } from '@/api/errors'
import type { BodyOf } from '@/api/operation'
import { refetchAll } from '@/api/query'
import { useCall, useRequest } from '@/api/schoolContext'
import { useAuditKeys } from '@/kit/auditQueue'
import { confirm } from '@/kit/confirm'
import { DialogName } from '@/kit/DialogName'
import { Loaded } from '@/kit/Loaded'
import { labelOf } from '@/kit/labels'
import { Word } from '@/kit/Status'
import { tellSaved } from '@/kit/saved'
import { useUnsaved } from '@/kit/tab'
import type { DrawerProps } from '@/kit/useDrawer'
import { Data } from './AdmissionFile'
import { can, isDoubtful, mayConfirm, nextAssigned, type Row } from './admissionRules'
import { auditAdmission, viewAdmission } from './api'
import { Comparison } from './Comparison'
import type { AdmissionView } from './ContactForm'
import { differenceWords } from './Differences'
import { Issues } from './Issues'
import { statusTones } from './tones'
import './admission.css'

type Decision = BodyOf<typeof auditAdmission>
type Result = Extract<Decision['result'], 'pass' | 'reject'>

const LEAST_REASON = 2
const MOST_REASON = auditAdmission.fields.remark?.maxLength ?? 200

const doneWords: Record<Result, string> = { pass: '已通过', reject: '已审核为不予入学' }

interface AuditDrawerProps extends DrawerProps<Row> {
  /** The page of the list: after a decision the next of it who waits is shown. */
  rows: readonly Row[]
}

/** 预报名 as the authority's data have to stand up to it. */
const Lead = ({ row, admission }: { row: Row; admission: AdmissionView }) => {
  const lead = admission.preRegistration
  if (lead) {
    return (
      <>
        <p className="form-hint">{lead.batchName}</p>
        <Comparison admission={admission} lead={lead} differences={row.differences} />
      </>
    )
  }
  return (
    <Empty
      description={
        admission.preRegistrationSiteName
          ? `预报名站点为${admission.preRegistrationSiteName}，不在数据范围内`
          : '没有匹配预报名，请核对本人身份'
      }
    />
  )
}

/** All that speaks against the person. */
const Doubts = ({ row, admission }: { row: Row; admission: AdmissionView }) => {
  const differing = differenceWords(row)
  if (admission.issues.length === 0 && !differing) return null
  return (
    <Alert
      className="form-lead"
      type="warning"
      title="审核前请核对"
      content={
        <>
          {admission.issues.length > 0 && <Issues issues={admission.issues} />}
          {differing && <div>与预报名不同：{differing}</div>}
        </>
      }
    />
  )
}

const Person = ({ row, admission }: { row: Row; admission: AdmissionView }) => (
  <>
    <Doubts row={row} admission={admission} />
    <p className="form-lead">
      <Word tone={statusTones[admission.status]}>{labelOf(viewAdmission, 'status', admission.status)}</Word>{' '}
      {admission.batchName} · {admission.levelName} · {admission.majorName} · {admission.siteName ?? '未分配站点'}
    </p>
    <div className="admission-audit">
      <section aria-label="招办数据">
        <h3>招办数据</h3>
        {admission.photoUrl ? (
          <img className="admission-photo" src={admission.photoUrl} alt={`${admission.name}的录取照片`} />
        ) : (
          <p>
            <Word tone="warning">缺少照片</Word>
          </p>
        )}
        <Data admission={admission} />
      </section>
      <section aria-label="预报名">
        <h3>预报名</h3>
        <Lead row={row} admission={admission} />
      </section>
    </div>
  </>
)

/** 审核: what the authority says beside what the person told, a decision, and the next who waits. */
export const AuditDrawer = ({ visible, record, rows, onClose }: AuditDrawerProps) => {
  const call = useCall()
  const request = useRequest()
  const [row, setRow] = useState(record)
  const [reason, setReason] = useState('')
  const [missing, setMissing] = useState(false)
  const [refusal, setRefusal] = useState<string>()
  const field = useRef<RefTextAreaType>(null)
  /** Those of the page who waited when it was opened: how far one is among them. */
  const [queue] = useState(() => rows.filter((each) => !can.audit(each)).map(({ id }) => id))
  const at = row ? queue.indexOf(row.id) + 1 : 0
  const view = useQuery({
    queryKey: [viewAdmission.path, row?.id],
    queryFn: () => call(viewAdmission, { query: { id: row?.id ?? 0 } }),
    enabled: visible && row !== undefined,
  })
  useUnsaved(visible && reason !== '')
  /** A question is open: what is typed meanwhile is its own. */
  const asking = useRef(false)
  const person = view.data
  const next = row && nextAssigned(rows, row.id)

  const goOn = () => {
    setReason('')
    setMissing(false)
    setRefusal(undefined)
    if (next) setRow(next)
    else onClose()
  }
  const audit = useMutation({
    mutationFn: async (body: Decision) => {
      try {
        return await request(auditAdmission, { body }, { quiet: mayConfirm })
      } catch (error) {
        if (!mayConfirm(error)) throw error
        const question = { title: `仍然通过“${row?.name}”？`, content: messageOf(error), okText: '仍然通过' }
        if (!(await confirm(question))) return undefined
        return request(auditAdmission, { body: { ...body, confirmDuplicate: true } })
      }
    },
    onMutate: () => setRefusal(undefined),
    onSuccess: async (answer, { result }) => {
      if (!answer || !person || result === 'revoke') return
      const done = `${doneWords[result]}“${person.name}”${next ? '' : '，本页没有待审核的人员了'}`
      goOn()
      await refetchAll()
      if (result === 'pass') tellSaved(done, answer)
      else tellSuccess(done)
    },
    onError: (error) => {
      setRefusal(messageOf(error))
      refetchAll()
    },
  })
  /** Whoever may be somebody else passes only after a question. */
  const isSure = async (doubted: Row) => {
    asking.current = true
    const sure = await confirm({
      title: `仍然通过“${doubted.name}”？`,
      content: `与预报名不同：${differenceWords(doubted)}。请确认是同一人。`,
      okText: '仍然通过',
    })
    asking.current = false
    return sure
  }
  const decide = async (result: Result) => {
    if (!person || audit.isPending || asking.current) return
    const remark = reason.trim()
    const needed = result === 'reject' && [...remark].length < LEAST_REASON
    setMissing(needed)
    if (needed) {
      field.current?.dom?.focus()
      return
    }
    if (result === 'pass' && row && isDoubtful(row) && !(await isSure(row))) return
    audit.mutate({ id: person.id, version: person.version, result, remark: remark || undefined })
  }
  /** A 通过, R 不予入学, N 跳过; in the field of the reason they are letters. */
  useAuditKeys(visible && !audit.isPending, {
    a: () => decide('pass'),
    r: () => decide('reject'),
    n: () => next && !asking.current && goOn(),
  })
  const close = async () => {
    if (reason === '' || (await confirm({ title: '意见尚未提交，确定关闭吗？', okText: '关闭', danger: true })))
      onClose()
  }
  const title = `审核录取 ${row?.name ?? ''}`
  return (
    <Drawer
      title={
        <>
          {title}
          <small className="audit-progress">{at > 0 ? ` ${at}/${queue.length}` : ''}</small>
        </>
      }
      width={1080}
      visible={visible}
      onCancel={close}
      unmountOnExit
      footer={
        <div className="audit-foot">
          <div className="audit-reason">
            <Input.TextArea
              ref={field}
              aria-label="审核意见"
              placeholder="不予入学时必填"
              autoSize={{ minRows: 1, maxRows: 3 }}
              maxLength={MOST_REASON}
              status={missing ? 'error' : undefined}
              value={reason}
              onChange={setReason}
            />
            {missing && <span role="alert">请填写原因，至少{LEAST_REASON}个字</span>}
          </div>
          {/* None is switched off while it works: the keyboard would lose its place. */}
          <Space>
            {next && (
              <Button title="跳过（N）" onClick={() => !audit.isPending && goOn()}>
                跳过
              </Button>
            )}
            <Button title="不予入学（R）" onClick={() => decide('reject')}>
              不予入学
            </Button>
            <Button type="primary" title="通过（A）" loading={audit.isPending} onClick={() => decide('pass')}>
              通过
            </Button>
          </Space>
        </div>
      }
    >
      <DialogName name={title} />
      {refusal && (
        <div className="form-lead" role="alert">
          <Alert type="error" content={refusal} />
        </div>
      )}
      <Loaded query={view} rows={10}>
        {(shown) => row && <Person row={row} admission={shown} />}
      </Loaded>
    </Drawer>
  )
}
