import { addressOf, type LooseInput } from './client'
import type { OperationMeta } from './operation'
import { readToken } from './session'

/**
 * Fetches a file that is too large for the page's memory: the browser itself posts a hidden form to the operation's
 * absolute address and saves what comes. Such a form has no headers, so the token stands in its body and in the query.
 * Only for paths that end in `/export` or `/download`; what goes wrong there the browser shows, not the console.
 */
export const postForm = (operation: OperationMeta, { query, body }: LooseInput) => {
  const token = readToken() ?? ''
  const form = document.createElement('form')
  form.method = 'post'
  form.action = addressOf(operation, { ...(query ?? {}), token })
  form.hidden = true
  for (const [name, value] of [
    ['token', token],
    ['body', JSON.stringify(body)],
  ] as const) {
    const field = document.createElement('input')
    field.type = 'hidden'
    field.name = name
    field.value = value
    form.append(field)
  }
  document.body.append(form)
  form.submit()
  form.remove()
}
