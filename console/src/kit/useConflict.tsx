import { Alert, Button, type FormInstance } from '@arco-design/web-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Caller } from '@/api/client'
import { ApiError } from '@/api/errors'
import { useCall } from '@/api/schoolContext'

interface ConflictProps<Row> {
  form: FormInstance
  /** The record as it was read; none for a new one. */
  record: Row | undefined
  /** Reads the record anew after somebody else changed it. */
  reload: ((record: Row, call: Caller) => Promise<Row>) | undefined
}

/** Two editors of one record: the second is told, and may take over what the first wrote without losing what they typed. */
export const useConflict = <Row extends object>({ form, reload, ...props }: ConflictProps<Row>) => {
  const call = useCall()
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
  return {
    /** As it was read last. */
    record,
    notice: (error: unknown) => {
      if (error instanceof ApiError && error.code === 409 && record) setRefusal(error.message)
    },
    alert: refusal && (
      <Alert
        className="form-conflict"
        type="warning"
        title={refusal}
        content={reload ? '重新载入会取回最新内容，您已填写的内容会保留。' : undefined}
        action={
          reload && (
            <Button size="small" loading={merge.isPending} onClick={() => merge.mutate()}>
              重新载入
            </Button>
          )
        }
      />
    ),
  }
}
