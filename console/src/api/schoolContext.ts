import { createContext, useCallback, useContext, useMemo } from 'react'
import { callOf, type LooseInput, ofSchool, requestOf } from './client'
import type { OperationMeta } from './operation'

/**
 * Whose data a page shows. The session says it, but for the operators' screens over the schools' data: there the page
 * says it, and each call that names a school carries it. It stands in the tree and nowhere else, so that two tabs over
 * two schools never meet; a call that forgets to ask here is refused by the server.
 */
export type SchoolContext =
  | { area: 'school' }
  /** Without a school: those of all schools of the operator. A closed school is only read. */
  | { area: 'platform'; schoolId?: number; readOnly?: boolean }

export const SchoolProvider = createContext<SchoolContext>({ area: 'school' })

export const useSchoolContext = () => useContext(SchoolProvider)

/** The school that the page says, if it does. */
export const schoolOf = (context: SchoolContext) => (context.area === 'platform' ? context.schoolId : undefined)

/** Whether the page shows what all schools of an operator have. */
export const isOverAll = (context: SchoolContext) => context.area === 'platform' && context.schoolId === undefined

/**
 * Whether there is nowhere to write: nobody writes to a school that is closed, nor to all of them at once but by a step
 * over rows that name their own.
 */
export const isUnwritable = (
  context: SchoolContext,
  { writes, names, many }: Pick<OperationMeta, 'writes' | 'names' | 'many'>,
) =>
  writes &&
  context.area === 'platform' &&
  (context.readOnly === true || (isOverAll(context) && names === true && !many))

/** The client's `request` for the data that the page shows. */
export const useRequest = () => {
  const schoolId = schoolOf(useSchoolContext())
  return useMemo(() => requestOf(schoolId), [schoolId])
}

/** The client's `call` for the data that the page shows. */
export const useCall = () => {
  const schoolId = schoolOf(useSchoolContext())
  return useMemo(() => callOf(schoolId), [schoolId])
}

/** For what reaches the server in other ways, such as a download: an input with the school that the page says. */
export const useNamed = () => {
  const schoolId = schoolOf(useSchoolContext())
  return useCallback((operation: OperationMeta, input?: LooseInput) => ofSchool(schoolId, operation, input), [schoolId])
}
