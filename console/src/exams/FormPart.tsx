import { Button, Form } from '@arco-design/web-react'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Caller } from '@/api/client'
import { useAllowed } from '@/api/identity'
import type { OperationMeta } from '@/api/operation'
import { refetchAll } from '@/api/query'
import type { FormAction } from '@/kit/formAction'
import { tellSaved } from '@/kit/saved'
import { useConflict } from '@/kit/useConflict'
import { useDraftForm, useSaveKey } from '@/kit/useDraftForm'

interface FormPartProps<Row extends object, Data> {
  /** Whose permission is asked; without it the form is only read. */
  do: OperationMeta
  record: Row
  action: (record: Row) => FormAction<Data>
  reload: (record: Row, call: Caller) => Promise<Row>
  /** After everything was asked for again. */
  onSaved: () => void
  children: ReactNode
}

/** A form that stays on its page beside what hangs on the record: it saves, tells refusals at their fields, and meets another editor. */
export const FormPart = <Row extends object, Data>(props: FormPartProps<Row, Data>) => {
  const { do: operation, action, reload, onSaved, children } = props
  const may = useAllowed()(operation)
  const draft = useDraftForm(true, props.record)
  const conflict = useConflict({ form: draft.form, record: props.record, reload })
  const record = conflict.record ?? props.record
  const saving = useMutation({
    mutationFn: (values: object) => action(record).send(values, conflict.request),
    onMutate: conflict.forget,
    onSuccess: async (data) => {
      draft.settled()
      await refetchAll()
      tellSaved(action(record).done, data)
      onSaved()
    },
    onError: (error) => {
      draft.showErrors(error)
      conflict.notice(error)
    },
  })
  const save = async () => {
    if (!may || saving.isPending) return
    const values = await draft.validated()
    if (values) saving.mutate(values)
  }
  useSaveKey(may, save)
  return (
    <div ref={draft.wrapper} className="form-page">
      {conflict.alert}
      <Form {...draft.formProps} disabled={!may} onSubmit={save}>
        {children}
        {may && (
          <Button type="primary" loading={saving.isPending} title="Ctrl+S" onClick={save}>
            保存
          </Button>
        )}
        <button type="submit" hidden />
      </Form>
    </div>
  )
}
