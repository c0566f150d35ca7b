import { createContext, useCallback, useContext, useMemo } from 'react'
import { callOf, type LooseInput, ofSchool, requestOf } from './client'
import type { OperationMeta } from './operation'

/**
 * Whose data a page shows. The session says it, but for the operators' screens over the schools' data: there the page
 * says it, and each call that names a school carries it. It stands in the tree and nowhere else, so that two tabs over
 * two schools never meet; a call that forgets to ask here is refused by the server.
 */
export type Whose =
  | { area: 'school' }
  /** Without a school: those of all schools of the operator. A closed school is only read. */
  | { area: 'platform'; schoolId?: number; readOnly?: boolean }

export const WhoseContext = createContext<Whose>({ area: 'school' })

export const useWhose = () => useContext(WhoseContext)

/** The school that the page says, if it does. */
export const schoolOf = (whose: Whose) => (whose.area === 'platform' ? whose.schoolId : undefined)

/** Whether the page shows what all schools of an operator have. */
export const isOverAll = (whose: Whose) => whose.area === 'platform' && whose.schoolId === undefined

/**
 * Whether there is nowhere to write: nobody writes to a school that is closed, nor to all of them at once but by a step
 * over rows that name their own.
 */
export const isUnwritable = (whose: Whose, { writes, names, many }: Pick<OperationMeta, 'writes' | 'names' | 'many'>) =>
  writes && whose.area === 'platform' && (whose.readOnly === true || (isOverAll(whose) && names === true && !many))

/** The client's `request` for the data that the page shows. */
export const useRequest = () => {
  const schoolId = schoolOf(useWhose())
  return useMemo(() => requestOf(schoolId), [schoolId])
}

/** The client's `call` for the data that the page shows. */
export const useCall = () => {
  const schoolId = schoolOf(useWhose())
  return useMemo(() => callOf(schoolId), [schoolId])
}

/** For what reaches the server in other ways, such as a download: an input with the school that the page says. */
export const useNamed = () => {
  const schoolId = schoolOf(useWhose())
  return useCallback((operation: OperationMeta, input?: LooseInput) => ofSchool(schoolId, operation, input), [schoolId])
}
