import { Button, Drawer, Form, Space } from '@arco-design/web-react'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useRef } from 'react'
import type { Caller } from '@/api/client'
import { refetchAll } from '@/api/query'
import { DialogName } from './DialogName'
import type { FormAction } from './formAction'
import { tellSaved } from './saved'
import { useTellDone } from './undo'
import { useConflict } from './useConflict'
import { useDraftForm, useSaveKey } from './useDraftForm'
import { useEscape } from './useEscape'

interface FormDrawerProps<Row extends object, Data> {
  visible: boolean
  title: string
  /** What stands in the form at first; the record itself when one is edited. */
  initial?: Partial<Row>
  record: Row | undefined
  /** Saves what was typed; gets the record as it was last read. */
  action: (record: Row | undefined) => FormAction<Data>
  /** Reads the record anew after somebody else changed it. */
  reload?: (record: Row, call: Caller) => Promise<Row>
  /** Offers 保存并继续 for new records; these fields keep what was typed. */
  keep?: readonly (keyof Row & string)[]
  /** Asks before what is typed is sent, where that may be a mistake. */
  ask?: (values: object) => Promise<boolean>
  /** The verb of the form, where 保存 does not say what becomes of it. */
  okText?: string
  /** What cannot be had back, or harms somebody. */
  danger?: boolean
  width?: number
  onClose: () => void
  /** `again`: the form stays open for the next record. */
  onSaved?: (data: Data, again: boolean) => void
  children: ReactNode
}

/** A drawer that is at least this wide shows its fields in two columns. */
const TWO_COLUMNS_PX = 640

/**
 * A form beside the list. It owns sending, the server's refusals at their fields, the meeting of two editors, and the
 * question before something typed is lost.
 */
export const FormDrawer = <Row extends object, Data>(props: FormDrawerProps<Row, Data>) => {
  const { visible, title, action, reload, keep, ask, width = 560, onClose, onSaved, children } = props
  const { okText = '保存', danger = false } = props
  const draft = useDraftForm(visible, props.record ?? props.initial ?? {})
  const conflict = useConflict({ form: draft.form, record: props.record, reload })
  const { record, request } = conflict
  const tellDone = useTellDone()

  const saving = useMutation({
    mutationFn: ({ values }: { values: object; again: boolean }) => action(record).send(values, request),
    onMutate: conflict.forget,
    onSuccess: async (data, { again }) => {
      onSaved?.(data, again)
      if (again) draft.restart(keep)
      else {
        draft.settled()
        onClose()
      }
      await refetchAll()
      const { done, undo } = action(record)
      tellSaved(done, data, (words) => tellDone(words, undo?.(data)))
    },
    onError: (error) => {
      draft.showErrors(error)
      conflict.notice(error)
    },
  })
  const isAsking = useRef(false)
  const isSure = async (values: object) => {
    if (!ask) return true
    isAsking.current = true
    const sure = await ask(values)
    isAsking.current = false
    return sure
  }
  const save = async (again: boolean) => {
    if (saving.isPending || isAsking.current) return
    const values = await draft.validated()
    if (values && (await isSure(values))) saving.mutate({ values, again })
  }
  const close = async () => {
    if (await draft.mayClose()) onClose()
  }
  useSaveKey(visible, () => save(false))
  useEscape(visible, draft.wrapper)

  return (
    <Drawer
      title={title}
      width={width}
      visible={visible}
      onCancel={close}
      unmountOnExit
      footer={
        <Space>
          <Button onClick={close}>取消</Button>
          {keep && !record && (
            <Button disabled={saving.isPending} onClick={() => save(true)}>
              保存并继续
            </Button>
          )}
          <Button
            type="primary"
            status={danger ? 'danger' : undefined}
            loading={saving.isPending}
            title="Ctrl+S"
            onClick={() => save(false)}
          >
            {okText}
          </Button>
        </Space>
      }
    >
      <DialogName name={title} />
      <div ref={draft.wrapper}>
        {conflict.alert}
        <Form
          {...draft.formProps}
          className={width >= TWO_COLUMNS_PX ? 'form-grid' : undefined}
          onSubmit={() => save(false)}
        >
          {children}
          <button type="submit" hidden />
        </Form>
      </div>
    </Drawer>
  )
}
