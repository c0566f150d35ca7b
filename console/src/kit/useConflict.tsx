import { Alert, Button, type FormInstance } from '@arco-design/web-react'
import { useMutation } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { Arguments, Caller, Requester } from '@/api/client'
import { ApiError } from '@/api/errors'
import type { Operation } from '@/api/operation'
import { useCall, useRequest } from '@/api/schoolContext'

interface ConflictProps<Row> {
  form: FormInstance
  /** The record as it was read; none for a new one. */
  record?: Row
  /** Reads the record anew after somebody else changed it. */
  reload?: (record: Row, call: Caller) => Promise<Row>
}

/** What was typed does not go with what is stored. */
const isConflict = (error: unknown) => error instanceof ApiError && error.code === 409

/** The same way to the server without the passing tip of a 409, for whoever says it where it can be read. */
export const withoutTips =
  (request: Requester): Requester =>
  (operation, input, options) =>
    request(operation, input, { quiet: isConflict, ...options })

const callBy =
  (request: Requester): Caller =>
  <Query, Body, Data>(operation: Operation<Query, Body, Data>, ...[input]: Arguments<Query, Body>) =>
    request<Data>(operation, input)

/**
 * What speaks against saving (409) stands in the form until it is sent again. Of two editors of one record the second may
 * take over what the first wrote without losing what they typed.
 */
export const useConflict = <Row extends object>({ form, reload, ...props }: ConflictProps<Row>) => {
  const call = useCall()
  const ordinary = useRequest()
  const request = useMemo(() => withoutTips(ordinary), [ordinary])
  const [record, setRecord] = useState(props.record)
  const [refusal, setRefusal] = useState<string>()
  /** Takes the other's changes where nothing was typed here; what was typed stays. */
  const merge = useMutation({
    mutationFn: async () => record && reload?.(record, call),
    onSuccess: (fresh) => {
      if (!fresh) return
      const touched = form.getTouchedFields()
      const isTouched = (name: string) => touched.some((each) => each === name || String(each).startsWith(`${name}.`))
      form.setFieldsValue(Object.fromEntries(Object.entries(fresh).filter(([name]) => !isTouched(name))))
      setRecord(fresh)
      setRefusal(undefined)
    },
  })
  const reloads = record !== undefined && reload !== undefined
  return {
    /** As it was read last. */
    record,
    /** The form's own way to the server. */
    request,
    call: callBy(request),
    notice: (error: unknown) => setRefusal(error instanceof ApiError && isConflict(error) ? error.message : undefined),
    /** It is sent again. */
    forget: () => setRefusal(undefined),
    alert: refusal && (
      <Alert
        className="form-conflict"
        type="warning"
        title={refusal}
        content={reloads ? '重新载入会取回最新内容，您已填写的内容会保留。' : undefined}
        action={
          reloads && (
            <Button size="small" loading={merge.isPending} onClick={() => merge.mutate()}>
              重新载入
            </Button>
          )
        }
      />
    ),
  }
}
