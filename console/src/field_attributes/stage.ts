import { useQuery } from '@tanstack/react-query'
import { ApiError, fieldErrors } from '@/api/errors'
import type { RowOf } from '@/api/operation'
import { useRequest } from '@/api/schoolContext'
import { labelOf } from '@/kit/labels'
import { type listFieldAttributes, viewFieldForm } from './api'

/** A field as people fill it in. */
export type FormField = RowOf<typeof viewFieldForm>

export type Stage = RowOf<typeof listFieldAttributes>['stage']

/** What people are asked for at a stage, in the school's order. */
export const useStageForm = (stage: Stage, enabled = true) => {
  const request = useRequest()
  return useQuery({
    queryKey: [viewFieldForm.path, stage],
    queryFn: ({ signal }) => request(viewFieldForm, { query: { stage } }, { signal }),
    enabled,
  })
}

export const isFile = ({ control }: Pick<FormField, 'control'>) => control === 'image' || control === 'file'

/** The fields under the headings of their groups, both in the school's order. */
export const inGroups = (fields: readonly FormField[]) =>
  [...new Set(fields.map(({ groupName }) => groupName))].map((group) => ({
    group,
    title: labelOf(viewFieldForm, 'groupName', group),
    fields: fields.filter(({ groupName }) => groupName === group),
  }))

/** A value of a field of the school's own, in words. */
export const ownValue = ({ options }: FormField, value: unknown): string | undefined => {
  if (value === null || value === undefined || value === '') return undefined
  const word = (each: unknown) => options.find((option) => option.value === each)?.label ?? String(each)
  if (typeof value === 'boolean') return value ? '是' : '否'
  return Array.isArray(value) ? value.map(word).join('、') : word(value)
}

/** A refusal at the fields of a form: the server names the school's own, the form has them under `extra` and files in `files`. */
export const atFormField = (error: unknown, fields: readonly FormField[], files: string) => {
  if (!(error instanceof ApiError)) return error
  const own = fields.filter(({ builtIn }) => !builtIn)
  const placed = fieldErrors(error).map(({ field, message }) => {
    const named = own.find(({ fieldKey }) => fieldKey === field)
    if (!named) return { field, message }
    return { field: isFile(named) ? files : `extra.${field}`, message }
  })
  return placed.length > 0 ? new ApiError(error.code, error.message, placed) : error
}
