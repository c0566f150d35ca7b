import { Form } from '@arco-design/web-react'
import { useId, useLayoutEffect, useRef, useState } from 'react'
import { fieldErrors } from '@/api/errors'
import { confirm } from './confirm'
import { useUnsaved } from './tab'

/** Controls take no null. */
const given = (values: object) => Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null))

/** Where a refusal is shown: at the field that it names, else at what holds it, as `attachments` does `attachments[0].key`. */
const shownAt = (field: string, known: readonly string[]) => {
  if (known.includes(field)) return field
  const holding = known.filter((each) => field.startsWith(`${each}[`) || field.startsWith(`${each}.`))
  return holding.sort((a, b) => b.length - a.length)[0] ?? field
}

/** A form that knows whether it was typed into, asks before it is thrown away, and shows the server's words at its fields. */
export const useDraftForm = (open: boolean, initial: object) => {
  const [form] = Form.useForm()
  const id = useId()
  const [dirty, setDirty] = useState(false)
  const wrapper = useRef<HTMLDivElement>(null)
  useUnsaved(open && dirty)

  const mayClose = async () =>
    !dirty || (await confirm({ title: '有未保存的内容，确定关闭吗？', okText: '关闭', danger: true }))

  const focusFirstError = () => {
    // The message is in the page only after Arco has drawn it.
    requestAnimationFrame(() => {
      const item = wrapper.current?.querySelector('.arco-form-item-status-error')
      const panel = item?.closest('[role=tabpanel][hidden]')?.getAttribute('aria-labelledby')
      if (panel) document.getElementById(panel)?.click()
      requestAnimationFrame(() => {
        item?.scrollIntoView({ block: 'center' })
        item?.querySelector<HTMLElement>('input, textarea, [tabindex="0"]')?.focus()
      })
    })
  }
  /** Puts each refused field's sentence beside it. */
  const showErrors = (error: unknown) => {
    const errors = fieldErrors(error)
    const known = Object.keys(form.getFieldsState())
    for (const { field, message } of errors) form.setFields({ [shownAt(field, known)]: { error: { message } } })
    if (errors.length > 0) focusFirstError()
  }
  const validated = async <Values extends object = object>(): Promise<Values | undefined> => {
    try {
      return await form.validate()
    } catch {
      focusFirstError()
      return undefined
    }
  }
  return {
    wrapper,
    form,
    dirty,
    formProps: {
      form,
      id,
      initialValues: given(initial),
      onValuesChange: () => setDirty(true),
      layout: 'vertical' as const,
    },
    mayClose,
    showErrors,
    validated,
    /** Begins anew, keeping what was typed in the named fields. */
    restart: (keep: readonly string[] = []) => {
      const kept = keep.map((name) => [name, form.getFieldValue(name)])
      form.resetFields()
      form.setFieldsValue(Object.fromEntries(kept))
      setDirty(false)
    },
    settled: () => setDirty(false),
  }
}

/** Ctrl+S saves while the form is on the screen. */
export const useSaveKey = (active: boolean, save: () => void) => {
  // With the form's first paint: a key pressed before would be the browser's.
  useLayoutEffect(() => {
    if (!active) return
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 's') return
      event.preventDefault()
      save()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [active, save])
}
