import { Button, Input } from '@arco-design/web-react'
import { IconCheck, IconClose, IconEdit } from '@arco-design/web-react/icon'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { fieldErrors, messageOf, tellSuccess } from '@/api/errors'
import type { Operation } from '@/api/operation'
import { refetchAll } from '@/api/query'
import { useRequest } from '@/api/schoolContext'
import { Can } from './Can'
import { formAction } from './formAction'
import { fieldOf } from './labels'
import { textRefusal } from './rules'
import { useUnsaved } from './tab'
import { withoutTips } from './useConflict'

interface EditInPlaceProps<Body, Data> {
  do: Operation<undefined, Body, Data>
  field: keyof Body & string
  label: string
  /** As it was read: id, version, and all that stays. */
  record: object
  /** How the value is shown. */
  children: ReactNode
}

/** A single field of a record, corrected where it is read. Enter saves, Esc leaves it as it was. */
export const EditInPlace = <Body, Data>({
  do: operation,
  field,
  label,
  record,
  children,
}: EditInPlaceProps<Body, Data>) => {
  const request = useRequest()
  const [typed, setTyped] = useState<string>()
  const [refusal, setRefusal] = useState<string>()
  useUnsaved(Boolean(typed))
  const meta = operation.fields[field] ?? fieldOf(operation, field)
  const close = () => {
    setTyped(undefined)
    setRefusal(undefined)
  }
  const saving = useMutation({
    mutationFn: (value: string) => formAction(operation, '', record).send({ [field]: value }, withoutTips(request)),
    onSuccess: async () => {
      close()
      await refetchAll()
      tellSuccess(`已修改${label}`)
    },
    onError: (error) =>
      setRefusal(fieldErrors(error).find((each) => each.field === field)?.message ?? messageOf(error)),
  })
  const save = () => {
    const value = (typed ?? '').trim()
    const wrong = meta.required && !value ? `请输入${label}` : textRefusal(meta, label, value)
    setRefusal(wrong)
    if (!wrong && !saving.isPending) saving.mutate(value)
  }
  if (typed === undefined) {
    return (
      <span className="in-place">
        {children}
        <Can do={operation}>
          <Button
            type="text"
            size="mini"
            icon={<IconEdit />}
            aria-label={`修改${label}`}
            title={`修改${label}`}
            onClick={() => setTyped('')}
          />
        </Can>
      </span>
    )
  }
  return (
    <span className="in-place">
      <Input
        className="in-place-field"
        size="small"
        autoFocus
        aria-label={label}
        placeholder={`新的${label}`}
        maxLength={meta.maxLength}
        error={refusal !== undefined}
        value={typed}
        onChange={setTyped}
        onKeyDown={(event) => {
          if (event.key === 'Enter') save()
          if (event.key !== 'Escape') return
          event.stopPropagation()
          close()
        }}
      />
      <Button
        size="mini"
        type="primary"
        icon={<IconCheck />}
        aria-label={`保存${label}`}
        loading={saving.isPending}
        onClick={save}
      />
      <Button size="mini" icon={<IconClose />} aria-label={`取消修改${label}`} onClick={close} />
      {refusal && (
        <small role="alert" className="in-place-refusal">
          {refusal}
        </small>
      )}
    </span>
  )
}
