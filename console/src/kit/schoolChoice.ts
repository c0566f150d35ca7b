import { createContext, type ReactNode, useContext } from 'react'
import type { Choice } from './OptionSelect'
import type { HasId } from './useQueryTable'

/** A row, and the operation that lists it. */
export interface RowOfList {
  list: string
  row: HasId
}

/** How an operator says whose data they want to see. The kit shows it; the room of the schools fills it. */
export interface SchoolChoice {
  /** The select of schools. */
  picker: ReactNode
  /** What the chosen school is called. */
  name: string | undefined
  /** Takes a school, or all; a row of the school is opened at once. */
  choose: (school: Choice | undefined, row?: RowOfList) => void
  /** The row by which the school was chosen. */
  row: RowOfList | undefined
  /** There is no school that they may act for. */
  none: boolean
}

export const SchoolChoiceContext = createContext<SchoolChoice | undefined>(undefined)

/** None inside a school, and on pages that are not about the schools' data. */
export const useSchoolChoice = () => useContext(SchoolChoiceContext)

export const NO_SCHOOLS = '暂无可查看的院校'
