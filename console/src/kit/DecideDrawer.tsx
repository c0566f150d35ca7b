import { Alert, Button, Checkbox, Drawer, Input, Space } from '@arco-design/web-react'
import type { RefTextAreaType } from '@arco-design/web-react/es/Input'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { ApiError, tellSuccess } from '@/api/errors'
import type { Operation } from '@/api/operation'
import { refetchAll } from '@/api/query'
import { useRequest } from '@/api/schoolContext'
import type { AuditDecision } from '@/api/types/shared'
import type { Asking } from './actions'
import { type AuditQueue, useAuditKeys } from './auditQueue'
import { confirm } from './confirm'
import { DialogName } from './DialogName'
import { useUnsaved } from './tab'
import { withoutTips } from './useConflict'

type Verdict = AuditDecision['auditStatus']

const verbs: Record<Verdict, string> = { approved: '通过', rejected: '不通过' }
const doneWords: Record<Verdict, string> = { approved: '已通过', rejected: '已审核为不通过' }

interface DecideDrawerProps<Body extends AuditDecision> {
  queue: AuditQueue
  do: Operation<undefined, Body>
  /** Which record of which version is decided on; nothing until it was read. */
  of: Omit<Body, 'auditStatus' | 'auditOpinion'> | undefined
  title: string
  /** How the record is called when it was decided on. */
  name: string
  /** Who reads the opinion. */
  note: string
  /** Asked before a decision is sent, where a slip of the hand costs money. */
  ask?: (verdict: Verdict) => Asking | undefined
  width?: number
  /** What is decided on. */
  children: ReactNode
}

/**
 * 审核: what somebody handed in, a decision, and the next that waits. No verdict stands there before somebody chose one; an
 * opinion is asked for only with 不通过.
 */
export const DecideDrawer = <Body extends AuditDecision>(props: DecideDrawerProps<Body>) => {
  const { queue, do: operation, of, title, name, note, ask, width = 640, children } = props
  const ordinary = useRequest()
  const request = useMemo(() => withoutTips(ordinary), [ordinary])
  const [opinion, setOpinion] = useState('')
  const [missing, setMissing] = useState(false)
  const [refusal, setRefusal] = useState<string>()
  const field = useRef<RefTextAreaType>(null)
  const content = useRef<HTMLDivElement>(null)
  /** A question is open: what is typed meanwhile is its own. */
  const asking = useRef(false)
  useUnsaved(queue.visible && opinion !== '')

  // What had the focus goes with each record; in the field of the opinion, where it would fall, the keys are letters.
  useEffect(() => {
    if (queue.visible && title) content.current?.focus()
  }, [queue.visible, title])

  const begin = () => {
    setOpinion('')
    setMissing(false)
    setRefusal(undefined)
  }
  const deciding = useMutation({
    mutationFn: ({ body }: { body: object; verdict: Verdict; name: string }) => request(operation, { body }),
    onMutate: () => setRefusal(undefined),
    onSuccess: async (_, decided) => {
      const isLast = !queue.decided() && queue.goesOn
      begin()
      await refetchAll()
      const done = `${doneWords[decided.verdict]}“${decided.name}”`
      tellSuccess(isLast ? `${done}，本页没有待审核的了` : done)
    },
    onError: (error) => {
      // What else failed was told by the call.
      if (error instanceof ApiError && error.code === 409) setRefusal(error.message)
      refetchAll()
    },
  })
  const isSure = async (verdict: Verdict) => {
    const question = ask?.(verdict)
    if (!question) return true
    asking.current = true
    const sure = await confirm({ ...question, okText: verbs[verdict] })
    asking.current = false
    return sure
  }
  const decide = async (verdict: Verdict) => {
    if (!of || deciding.isPending || asking.current) return
    const auditOpinion = opinion.trim() || undefined
    const lacks = verdict === 'rejected' && auditOpinion === undefined
    setMissing(lacks)
    if (lacks) {
      field.current?.dom?.focus()
      return
    }
    if (await isSure(verdict)) deciding.mutate({ body: { ...of, auditStatus: verdict, auditOpinion }, verdict, name })
  }
  const skip = () => {
    if (!queue.hasNext || deciding.isPending || asking.current) return
    begin()
    queue.skip()
  }
  /** A 通过, R 不通过, N 跳过; in the field of the opinion they are letters. */
  useAuditKeys(queue.visible, {
    a: () => decide('approved'),
    r: () => {
      if (opinion.trim()) decide('rejected')
      else field.current?.dom?.focus()
    },
    n: skip,
  })
  const close = async () => {
    const question = { title: '审核意见尚未提交，确定关闭吗？', okText: '关闭', danger: true }
    if (opinion === '' || (await confirm(question))) queue.close()
  }
  return (
    <Drawer
      title={
        <>
          {title}
          <small className="audit-progress">{queue.place}</small>
        </>
      }
      width={width}
      visible={queue.visible}
      onCancel={close}
      unmountOnExit
      footer={
        <>
          <div className="audit-foot">
            <div className="audit-reason">
              <Input.TextArea
                ref={field}
                aria-label="审核意见"
                placeholder={note}
                autoSize={{ minRows: 1, maxRows: 3 }}
                maxLength={operation.fields.auditOpinion?.maxLength}
                status={missing ? 'error' : undefined}
                value={opinion}
                onChange={setOpinion}
              />
              {missing && <span role="alert">请输入审核意见</span>}
            </div>
            {/* None is switched off while it works: the keyboard would lose its place. */}
            <Space>
              {queue.hasNext && (
                <Button title="跳过（N）" onClick={skip}>
                  跳过
                </Button>
              )}
              <Button title="不通过（R）" onClick={() => decide('rejected')}>
                不通过
              </Button>
              <Button type="primary" title="通过（A）" loading={deciding.isPending} onClick={() => decide('approved')}>
                通过
              </Button>
            </Space>
          </div>
          <div className="audit-hint">
            <Checkbox checked={queue.goesOn} onChange={queue.setGoesOn}>
              审核后打开下一条
            </Checkbox>
            <span>按 A 通过，R 不通过，N 跳过，Esc 结束</span>
          </div>
        </>
      }
    >
      <DialogName name={title} />
      {refusal && (
        <div className="form-lead" role="alert">
          <Alert type="error" content={refusal} />
        </div>
      )}
      <div ref={content} tabIndex={-1} className="audit-content">
        {children}
      </div>
    </Drawer>
  )
}
