import type { DataOf } from '@/api/operation'
import type { EnrollmentValue } from '@/api/types/enrolment'
import type { EnrollmentColumn, EnrollmentField } from '@/api/types/shared'
import type { inspectAdmissionFile } from './api'

/** What a file of the authority is made of. */
export type Found = DataOf<typeof inspectAdmissionFile>
export type MetCode = Found['codesMet'][number]

const same = (one: string, other: string) => one.toUpperCase() === other.toUpperCase()

/**
 * The columns with which a file begins: what was chosen for the file before it, where this one has the same column, else
 * what the server proposes for a column that nothing else took.
 */
export const columnsToBegin = (
  found: Pick<Found, 'columns' | 'proposedMap'>,
  chosen: readonly EnrollmentColumn[] = [],
): EnrollmentColumn[] => {
  const kept = chosen.flatMap(({ field, column }) => {
    const heading = found.columns.find((each) => same(each, column))
    return heading === undefined ? [] : [{ field, column: heading }]
  })
  const free = ({ field, column }: EnrollmentColumn) =>
    !kept.some((each) => each.field === field || same(each.column, column))
  return [...kept, ...found.proposedMap.filter(free)]
}

const inOrder = (columns: readonly EnrollmentColumn[]) =>
  columns.map(({ field, column }) => `${field} ${column.toUpperCase()}`).sort()

/** Whether the codes that were met are those of these columns. */
export const isInspected = (found: Pick<Found, 'proposedMap'>, columns: readonly EnrollmentColumn[]) =>
  inOrder(found.proposedMap).join('\n') === inOrder(columns).join('\n')

const SAMPLES = 3

/** What stands in a column of the file, for whoever maps it: the first few values that differ. */
export const samplesOf = ({ columns, sample }: Pick<Found, 'columns' | 'sample'>, column: string | undefined) => {
  const at = column === undefined ? -1 : columns.findIndex((each) => same(each, column))
  const values = sample.map((row) => row[at] ?? '').filter(Boolean)
  return [...new Set(values)].slice(0, SAMPLES)
}

type Code = Pick<MetCode, 'field' | 'code'>

/** What codes mean, as somebody said; by field and code. */
export type Meanings = ReadonlyMap<string, string>

export const keyOf = ({ field, code }: Code) => `${field} ${code.toUpperCase()}`

/** What a code means: what was said here, else what the batch knows. */
export const meaningOf = (met: MetCode, meanings: Meanings) => meanings.get(keyOf(met)) ?? met.value ?? undefined

/** Without these nobody can be taken over; a gender may also be written out. */
const isNeeded = ({ field, code }: Code) => field === 'level' || (field === 'gender' && !['男', '女'].includes(code))

/** Why the codes do not suffice yet: nothing is assumed of a level's code, which each province gives its own meaning. */
export const codesRefusal = (
  met: readonly MetCode[],
  meanings: Meanings,
  nameOf: (field: EnrollmentField) => string,
) => {
  const open = met.filter((each) => isNeeded(each) && meaningOf(each, meanings) === undefined)
  if (open.length === 0) return undefined
  const words = open.map(({ field, code }) => `${nameOf(field)}代码“${code}”`)
  return `请选择${words.join('、')}的对应值`
}

/** What is sent of the codes: those that the file has and somebody, or the batch, knows. */
export const sentMeanings = (met: readonly MetCode[], meanings: Meanings): EnrollmentValue[] =>
  met.flatMap((each) => {
    const value = meaningOf(each, meanings)
    return value === undefined ? [] : [{ field: each.field, code: each.code, value }]
  })

/** The codes of each field, in the order in which the server tells them. */
export const byField = (met: readonly MetCode[]) => {
  const groups = new Map<EnrollmentField, MetCode[]>()
  for (const each of met) groups.set(each.field, [...(groups.get(each.field) ?? []), each])
  return [...groups]
}

interface Written {
  inserted?: number | null
  updated?: number | null
  unchanged?: number | null
}

/** 新增9人，修改1人，未变90人. Nothing where the server does not part them. */
export const writtenWords = ({ inserted, updated, unchanged }: Written) =>
  [
    ['新增', inserted],
    ['修改', updated],
    ['未变', unchanged],
  ]
    .flatMap(([words, count]) => (typeof count === 'number' ? [`${words}${count.toLocaleString('zh-CN')}人`] : []))
    .join('，')
