import { Button, Form, Space } from '@arco-design/web-react'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useContext } from 'react'
import { useNavigate } from 'react-router'
import type { Caller } from '@/api/client'
import { refetchAll } from '@/api/query'
import type { FormAction } from './formAction'
import { Page } from './Page'
import { tellSaved } from './saved'
import { TabContext } from './tab'
import { closed, useTabs } from './tabs'
import { useConflict } from './useConflict'
import { useDraftForm, useSaveKey } from './useDraftForm'

interface FormPageProps<Row extends object, Data> {
  title: string
  help?: string
  initial?: object
  /** The record that is edited, as it was read; none for a new one. */
  record?: Row
  /** Where one comes from, and goes to after saving. */
  list: string
  action: (record: Row | undefined) => FormAction<Data>
  /** Reads the record anew after somebody else changed it. */
  reload?: (record: Row, call: Caller) => Promise<Row>
  onSaved?: (data: Data) => void
  /** Another way on after saving than back to the list, behind a button of its own. */
  next?: { label: string; to: (data: Data, values: Readonly<Record<string, unknown>>) => string }
  onValuesChange?: (changed: Record<string, unknown>, all: Record<string, unknown>) => void
  children: ReactNode
}

/** A form that is a page of its own: 新增 and 编辑 of records that do not fit into a drawer. Saving leads back to the list. */
export const FormPage = <Row extends object, Data>(props: FormPageProps<Row, Data>) => {
  const { title, help, initial = {}, list, action, reload, onSaved, next, onValuesChange, children } = props
  const tab = useContext(TabContext)
  const navigate = useNavigate()
  const draft = useDraftForm(true, props.record ?? initial)
  const conflict = useConflict({ form: draft.form, record: props.record, reload })
  const { record, request } = conflict

  const leave = (to = list) => {
    const { apply, dropDrafts } = useTabs.getState()
    dropDrafts(tab)
    apply((state) => closed(state, tab))
    navigate(to)
  }
  const saving = useMutation({
    mutationFn: ({ values }: { values: object; goOn: boolean }) => action(record).send(values, request),
    onMutate: conflict.forget,
    onSuccess: (data, { values, goOn }) => {
      tellSaved(action(record).done, data)
      draft.settled()
      refetchAll()
      onSaved?.(data)
      leave(goOn ? next?.to(data, { ...values }) : undefined)
    },
    onError: (error) => {
      draft.showErrors(error)
      conflict.notice(error)
    },
  })
  const save = async (goOn = false) => {
    if (saving.isPending) return
    const values = await draft.validated()
    if (values) saving.mutate({ values, goOn })
  }
  useSaveKey(true, () => save())

  const { onValuesChange: noteDirty, ...formProps } = draft.formProps
  return (
    <Page title={title} help={help}>
      <div className="form-page" ref={draft.wrapper}>
        {conflict.alert}
        <Form
          {...formProps}
          className="form-grid"
          onValuesChange={(changed, all) => {
            noteDirty()
            onValuesChange?.(changed, all)
          }}
          onSubmit={() => save()}
        >
          {children}
          <button type="submit" hidden />
        </Form>
      </div>
      <Space className="form-page-foot">
        <Button type="primary" loading={saving.isPending} title="Ctrl+S" onClick={() => save()}>
          保存
        </Button>
        {next && (
          <Button disabled={saving.isPending} onClick={() => save(true)}>
            {next.label}
          </Button>
        )}
        <Button
          onClick={async () => {
            if (await draft.mayClose()) leave()
          }}
        >
          返回列表
        </Button>
      </Space>
    </Page>
  )
}
