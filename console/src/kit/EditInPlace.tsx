import { Button, Input, Select } from '@arco-design/web-react'
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

const fieldIn = (record: object, field: string): unknown => Object.entries(record).find(([name]) => name === field)?.[1]

/** What there is to be mended; of a number that is not shown whole nothing. */
const standing = (record: object, field: string) => {
  const value = fieldIn(record, field)
  return typeof value === 'string' && !value.includes('*') ? value : ''
}

/**
 * A single field of a record, corrected where it is read. Enter saves, Esc leaves it as it was. What was typed of one record is
 * never saved to the next: a drawer goes from row to row without being made anew.
 */
export const EditInPlace = <Body, Data>(props: EditInPlaceProps<Body, Data>) => (
  <OfRecord key={String(fieldIn(props.record, 'id'))} {...props} />
)

const OfRecord = <Body, Data>({
  do: operation,
  field,
  label,
  record,
  children,
}: EditInPlaceProps<Body, Data>) => {
  const request = useRequest()
  const [typed, setTyped] = useState<string>()
  const [refusal, setRefusal] = useState<string>()
  const before = standing(record, field)
  useUnsaved(typed !== undefined && typed !== before)
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
    if (value === before) return close()
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
            className="in-place-pen"
            icon={<IconEdit />}
            aria-label={`修改${label}`}
            title={`修改${label}`}
            onClick={() => setTyped(before)}
          />
        </Can>
      </span>
    )
  }
  return (
    <span className="in-place">
      {meta.options ? (
        <Select
          className="in-place-field"
          size="small"
          aria-label={label}
          placeholder="请选择"
          allowClear={!meta.required}
          error={refusal !== undefined}
          options={meta.options.map(([value, words]) => ({ value, label: words }))}
          value={typed || undefined}
          onChange={(value: string | undefined) => setTyped(value ?? '')}
        />
      ) : (
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
      )}
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
