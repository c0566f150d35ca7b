import { Form, Modal } from '@arco-design/web-react'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, type RefObject, useLayoutEffect } from 'react'
import type { Caller } from '@/api/client'
import { useConflict } from './useConflict'
import { useDraftForm } from './useDraftForm'

interface FormDialogProps<Values extends object, Data> {
  title: string
  visible?: boolean
  okText: string
  /** What cannot be taken back. */
  danger?: boolean
  /** Nothing leads back to the page: it cannot be closed, only left by this. */
  leave?: { text: string; onClick: () => void }
  width?: number
  /** Stands above the fields: what follows from it. */
  lead?: ReactNode
  /** Sends what was typed, by a way to the server whose 409 is told in the dialog. */
  action: (values: Values, call: Caller) => Promise<Data>
  /** Afterwards; closing is up to it. */
  onDone: (data: Data) => void
  onClose?: () => void
  children: ReactNode
}

/** The first field is ready to be typed into, as soon as there is one. */
const FocusFirst = ({ within }: { within: RefObject<HTMLElement | null> }) => {
  useLayoutEffect(() => within.current?.querySelector<HTMLElement>('input, textarea')?.focus(), [within])
  return null
}

/**
 * A few questions in front of the page, to be answered before it goes on. Enter sends, refusals stand at their fields, and
 * what was typed is not lost without a question.
 */
export const FormDialog = <Values extends object, Data>(props: FormDialogProps<Values, Data>) => {
  const { title, visible = true, okText, danger, leave, width = 480, lead, action, onDone, onClose, children } = props
  // The dialog covers the tabs, so nothing but its own closing can lose what was typed.
  const draft = useDraftForm(false, {})
  const conflict = useConflict({ form: draft.form })
  const sending = useMutation({
    mutationFn: (values: Values) => action(values, conflict.call),
    onMutate: conflict.forget,
    onSuccess: (data) => {
      draft.settled()
      onDone(data)
    },
    onError: (error) => {
      draft.showErrors(error)
      conflict.notice(error)
    },
  })
  const submit = async () => {
    if (sending.isPending) return
    const values = await draft.validated<Values>()
    if (values) sending.mutate(values)
  }
  const close = async () => {
    if (!(await draft.mayClose())) return
    draft.settled()
    onClose?.()
  }
  return (
    <Modal
      title={title}
      style={{ width }}
      visible={visible}
      closable={!leave}
      escToExit={!leave}
      okText={okText}
      okButtonProps={{ status: danger ? 'danger' : undefined }}
      cancelText={leave?.text ?? '取消'}
      confirmLoading={sending.isPending}
      onOk={submit}
      onCancel={leave?.onClick ?? close}
      unmountOnExit
    >
      {lead}
      <div ref={draft.wrapper}>
        {conflict.alert}
        <Form {...draft.formProps} onSubmit={submit}>
          {children}
          <button type="submit" hidden />
        </Form>
      </div>
      <FocusFirst within={draft.wrapper} />
    </Modal>
  )
}
