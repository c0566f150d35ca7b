import { Button, Drawer, Input, Space } from '@arco-design/web-react'
import type { RefTextAreaType } from '@arco-design/web-react/es/Input'
import { useRef, useState } from 'react'
import type { BodyOf, RowOf } from '@/api/operation'
import { useStageForm } from '@/field_attributes/stage'
import { useAuditKeys } from '@/kit/auditQueue'
import { confirm } from '@/kit/confirm'
import { DialogName } from '@/kit/DialogName'
import { Loaded } from '@/kit/Loaded'
import { labelOf } from '@/kit/labels'
import { Word } from '@/kit/Status'
import { useUnsaved } from '@/kit/tab'
import { undoBy, useTellDone } from '@/kit/undo'
import { useAction } from '@/kit/useAction'
import type { DrawerProps } from '@/kit/useDrawer'
import {
  auditPreRegistration,
  type listPreRegistrations,
  reopenPreRegistration,
  reviewPreRegistrations,
  viewPreRegistration,
} from './api'
import { Papers, PersonData, usePerson, type View, Warnings } from './PreRegistrationDetail'
import { isOpen, nextPending } from './preRegistrationRules'
import { statusTones } from './tones'
import './preRegistration.css'

type Row = RowOf<typeof listPreRegistrations>
type Result = BodyOf<typeof auditPreRegistration>['result']

const LEAST_REASON = 2
/** What is said most often. */
const REASONS = ['照片不清晰', '证件照片不完整', '证件已过期', '姓名与证件不符', '缺学历证明']
const MOST_REASON = auditPreRegistration.fields.remark?.maxLength

const doneWords: Record<Result, string> = { pass: '已通过', return: '已退回', reject: '已审核为不通过' }

/** A decision is taken back to 待审核; who was given back a form has begun to mend it, perhaps, and is left alone. */
const takenBack = (result: Result, { id, version }: View) => {
  const item = { id, version: version + 1 }
  if (result === 'pass') return undoBy(reviewPreRegistrations, { body: { items: [item], result: 'reopen' as const } })
  return result === 'reject' ? undoBy(reopenPreRegistration, { body: item }) : undefined
}

interface AuditDrawerProps extends DrawerProps<Row> {
  /** The page of the list: after a decision the next of it who waits is shown. */
  rows: readonly Row[]
}

const Person = ({ person }: { person: View }) => {
  const stage = useStageForm('pre_registration')
  return (
    <Loaded query={stage}>
      {(fields) => (
        <>
          <Warnings person={person} />
          <p className="form-lead">
            <Word tone={statusTones[person.status]}>{labelOf(viewPreRegistration, 'status', person.status)}</Word>{' '}
            {person.batchName} · {person.levelName} · {person.majorName} · {person.siteName}
          </p>
          <div className="audit">
            <Papers person={person} fields={fields} />
            <PersonData person={person} fields={fields} />
          </div>
        </>
      )}
    </Loaded>
  )
}

/** 审核: the papers beside the data, a decision, and the next who waits. */
export const AuditDrawer = ({ visible, record, rows, onClose }: AuditDrawerProps) => {
  const [row, setRow] = useState(record)
  const [reason, setReason] = useState('')
  const [missing, setMissing] = useState(false)
  const field = useRef<RefTextAreaType>(null)
  /** Those of the page who waited when it was opened: how far one is among them. */
  const [queue] = useState(() => rows.filter(isOpen).map(({ id }) => id))
  const at = row ? queue.indexOf(row.id) + 1 : 0
  const view = usePerson(visible ? row?.id : undefined)
  useUnsaved(visible && reason !== '')
  const person = view.data
  const next = row && nextPending(rows, row.id)

  const goOn = () => {
    setReason('')
    setMissing(false)
    if (next) setRow(next)
    else onClose()
  }
  const audit = useAction(auditPreRegistration, { onDone: goOn })
  const tellDone = useTellDone()
  const decide = (result: Result) => {
    if (!person || audit.isPending) return
    const remark = reason.trim()
    const needed = result !== 'pass' && [...remark].length < LEAST_REASON
    setMissing(needed)
    if (needed) return
    const done = `${doneWords[result]}“${person.name}”${next ? '' : '，本页没有待审核的预报名了'}`
    audit.mutate(
      { body: { id: person.id, version: person.version, result, remark: remark || undefined } },
      { onSuccess: () => tellDone(done, takenBack(result, person)) },
    )
  }
  /** A 通过, R 退回, N 跳过; in the field of the reason they are letters. */
  useAuditKeys(visible && !audit.isPending, {
    a: () => decide('pass'),
    r: () => {
      if (person?.status === 'returned') return
      if (reason.trim()) decide('return')
      else field.current?.dom?.focus()
    },
    n: () => next && goOn(),
  })
  const close = async () => {
    if (reason === '' || (await confirm({ title: '原因尚未提交，确定关闭吗？', okText: '关闭', danger: true })))
      onClose()
  }
  const title = `审核预报名 ${row?.name ?? ''}`
  const progress = at > 0 ? ` ${at}/${queue.length}` : ''
  const returned = person?.status === 'returned'
  return (
    <Drawer
      title={
        <>
          {title}
          <small className="audit-progress">{progress}</small>
        </>
      }
      width={1080}
      visible={visible}
      onCancel={close}
      unmountOnExit
      footer={
        <div className="audit-foot">
          <div className="audit-reason">
            <div className="audit-reasons">
              {REASONS.map((words) => (
                <Button key={words} size="mini" onClick={() => setReason(reason ? `${reason}；${words}` : words)}>
                  {words}
                </Button>
              ))}
            </div>
            <Input.TextArea
              ref={field}
              aria-label="原因"
              placeholder="退回和不通过时必填，报名人可以看到"
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
            <Button onClick={() => decide('reject')}>不通过</Button>
            <Button
              disabled={returned}
              title={returned ? '已退回，等待报名人修改' : '退回（R）'}
              onClick={() => decide('return')}
            >
              退回
            </Button>
            <Button type="primary" title="通过（A）" loading={audit.isPending} onClick={() => decide('pass')}>
              通过
            </Button>
          </Space>
        </div>
      }
    >
      <DialogName name={title} />
      <Loaded query={view} rows={10}>
        {(shown) => <Person person={shown} />}
      </Loaded>
    </Drawer>
  )
}
