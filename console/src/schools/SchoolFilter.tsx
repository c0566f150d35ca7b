import type { Operation } from '@/api/operation'
import { OptionFilter } from '@/kit/filters'
import { listAvailableSchools } from './api'
import { schoolOptions } from './SchoolsSelect'

interface SchoolFilterProps<Body extends { schoolId?: number | null }> {
  of: Operation<undefined, Body, unknown>
  field: 'schoolId'
}

/** The schools that an operator may act for. */
export const SchoolFilter = <Body extends { schoolId?: number | null }>({ of, field }: SchoolFilterProps<Body>) => (
  <OptionFilter of={of} field={field} options={listAvailableSchools} query={schoolOptions} />
)
