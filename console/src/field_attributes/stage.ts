import { useQuery } from '@tanstack/react-query'
import type { RowOf } from '@/api/operation'
import { useRequest } from '@/api/schoolContext'
import { labelOf } from '@/kit/labels'
import { type listFieldAttributes, viewFieldForm } from './api'

/** A field as people fill it in. */
export type FormField = RowOf<typeof viewFieldForm>

export type Stage = RowOf<typeof listFieldAttributes>['stage']

/** What people are asked for at a stage, in the school's order. */
export const useStageForm = (stage: Stage) => {
  const request = useRequest()
  return useQuery({
    queryKey: [viewFieldForm.path, stage],
    queryFn: ({ signal }) => request(viewFieldForm, { query: { stage } }, { signal }),
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
