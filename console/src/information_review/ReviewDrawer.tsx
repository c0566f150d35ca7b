import { Alert, Button, Drawer, Input, Radio, Space } from '@arco-design/web-react'
import type { RefTextAreaType } from '@arco-design/web-react/es/Input'
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { messageOf, tellSuccess } from '@/api/errors'
import type { BodyOf } from '@/api/operation'
import { refetchAll } from '@/api/query'
import { useRequest } from '@/api/schoolContext'
import { useAuditKeys } from '@/kit/auditQueue'
import { confirm } from '@/kit/confirm'
import { DialogName } from '@/kit/DialogName'
import { Loaded } from '@/kit/Loaded'
import { labelOf } from '@/kit/labels'
import { Word } from '@/kit/Status'
import { tellSaved } from '@/kit/saved'
import { useUnsaved } from '@/kit/tab'
import type { DrawerProps } from '@/kit/useDrawer'
import { reviewAdmissionCommitment } from './api'
import type { Group } from './groups'
import { Doubts, Files, Photos, partsOf, type Shown, Steps, useInformation } from './InformationParts'
import { isWaiting, nextWaiting, passRefusal, type Row } from './informationRules'
import { statusTones } from './tones'
import './informationReview.css'

type Decision = BodyOf<typeof reviewAdmissionCommitment>
type Result = Decision['result']
type Conclusion = NonNullable<Decision['conclusion']>

const LEAST_REASON = 2
const MOST_REASON = reviewAdmissionCommitment.fields.remark?.maxLength ?? 200

const conclusions = (reviewAdmissionCommitment.fields.conclusion?.options ?? []).map(([value, label]) => ({
  value,
  label,
}))

/** What was handed in beside what proves it. */
const Subject = (shown: Shown) => {
  const { group, view } = shown
  return (
    <>
      <Doubts {...shown} />
      <div className="form-lead">
        <Word tone={statusTones[view.status]}>{labelOf(group.view, 'status', view.status)}</Word> {view.gradeName} ·{' '}
        {view.levelName} {view.majorName} · {view.siteName} · {view.className ?? '未分班'}
      </div>
      <div className="information-review">
        <div>
          {partsOf(shown).map(({ title, content }) => (
            <section key={title} aria-label={title}>
              <h3>{title}</h3>
              {content}
            </section>
          ))}
        </div>
        <div>
          {group.kind !== 'admission_commitment' && (
            <section aria-label="照片">
              <h3>照片</h3>
              <Photos {...shown} />
            </section>
          )}
          <section aria-label="材料和签名">
            <h3>材料和签名</h3>
            <Files {...shown} />
          </section>
          <section aria-label="办理过程">
            <h3>办理过程</h3>
            <Steps view={view} />
          </section>
        </div>
      </div>
    </>
  )
}

interface ReviewDrawerProps extends DrawerProps<Row> {
  group: Group
  /** The page of the list: after a decision the next of it who waits is shown. */
  rows: readonly Row[]
}

/** 审核: what is registered beside what is said, a decision, and the next who waits. */
export const ReviewDrawer = ({ group, visible, record, rows, onClose }: ReviewDrawerProps) => {
  const request = useRequest()
  const [row, setRow] = useState(record)
  const [reason, setReason] = useState('')
  const [conclusion, setConclusion] = useState<Conclusion>('qualified')
  const [missing, setMissing] = useState(false)
  const [refusal, setRefusal] = useState<string>()
  const field = useRef<RefTextAreaType>(null)
  /** Those of the page who waited when it was opened: how far one is among them. */
  const [queue] = useState(() => rows.filter(isWaiting).map(({ id }) => id))
  const at = row ? queue.indexOf(row.id) + 1 : 0
  const view = useInformation(group, visible ? row?.id : undefined)
  useUnsaved(visible && reason !== '')
  const person = view.data?.id === row?.id ? view.data : undefined
  const next = row && nextWaiting(rows, row.id)
  const concludes = group.kind === 'admission_commitment'
  const held = person && passRefusal(group.kind, person)
  const cannotPass = held ?? (concludes && conclusion !== 'qualified' ? '结论为合格才能通过' : undefined)

  const goOn = () => {
    setReason('')
    setConclusion('qualified')
    setMissing(false)
    setRefusal(undefined)
    if (next) setRow(next)
    else onClose()
  }
  const review = useMutation({
    mutationFn: (body: Decision) => request(group.review, { body }),
    onMutate: () => setRefusal(undefined),
    onSuccess: async (answer, { result }) => {
      const words = result === 'pass' ? '已通过' : '已退回'
      const done = `${words}“${row?.name}”${next ? '' : '，本页没有待审核的了'}`
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
  const decide = (result: Result) => {
    if (!person || review.isPending || (result === 'pass' && cannotPass)) return
    const remark = reason.trim()
    const needed = result === 'return' && [...remark].length < LEAST_REASON
    setMissing(needed)
    if (needed) {
      field.current?.dom?.focus()
      return
    }
    // Who is returned is not qualified, whatever was chosen at first.
    const concluded = result === 'return' && conclusion === 'qualified' ? undefined : conclusion
    review.mutate({
      id: person.id,
      version: person.version,
      result,
      remark: remark || undefined,
      ...(concludes && { conclusion: concluded }),
    })
  }
  /** A 通过, R 退回, N 跳过; in the field of the reason they are letters. */
  useAuditKeys(visible && !review.isPending, {
    a: () => decide('pass'),
    r: () => decide('return'),
    n: () => next && goOn(),
  })
  const close = async () => {
    if (reason === '' || (await confirm({ title: '意见尚未提交，确定关闭吗？', okText: '关闭', danger: true })))
      onClose()
  }
  const title = `审核${group.form} ${row?.name ?? ''}`
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
          {concludes && (
            <Radio.Group
              aria-label="审查结论"
              type="button"
              value={conclusion}
              options={conclusions}
              onChange={setConclusion}
            />
          )}
          <div className="audit-reason">
            <Input.TextArea
              ref={field}
              aria-label="审核意见"
              placeholder="退回时必填，学生可以看到"
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
              <Button title="跳过（N）" onClick={() => !review.isPending && goOn()}>
                跳过
              </Button>
            )}
            <Button title="退回（R）" onClick={() => decide('return')}>
              退回
            </Button>
            <Button
              type="primary"
              title={cannotPass ?? '通过（A）'}
              disabled={cannotPass !== undefined}
              loading={review.isPending}
              onClick={() => decide('pass')}
            >
              通过
            </Button>
          </Space>
        </div>
      }
    >
      <DialogName name={title} />
      {(refusal ?? held) && (
        <div className="form-lead" role="alert">
          <Alert type={refusal ? 'error' : 'warning'} content={refusal ?? held} />
        </div>
      )}
      <Loaded query={{ ...view, data: person }} rows={10}>
        {(shown) => <Subject group={group} view={shown} />}
      </Loaded>
    </Drawer>
  )
}
