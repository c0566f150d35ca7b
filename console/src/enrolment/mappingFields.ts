import type { EnrollmentValue } from '@/api/types/enrolment'
import type { EnrollmentColumn, EnrollmentField } from '@/api/types/shared'

interface Source {
  /** The column's name as most provinces have it (02 §14.1). */
  usual: string
  /** Without it nobody can be taken over. */
  required?: true
}

/** The fields that are read from the authority's file, in its order. */
export const sources: Readonly<Record<EnrollmentField, Source>> = {
  examinee_no: { usual: 'KSH', required: true },
  ticket_no: { usual: 'ZKZH' },
  name: { usual: 'XM', required: true },
  gender: { usual: 'XBDM', required: true },
  birthday: { usual: 'CSRQ', required: true },
  id_card_no: { usual: 'SFZH', required: true },
  ethnicity: { usual: 'MZDM' },
  political_status: { usual: 'ZZMMDM' },
  exam_category: { usual: 'ZYLBDM' },
  pre_edu_level: { usual: 'WHCDDM' },
  pre_edu_school: { usual: 'BYXX' },
  pre_edu_graduated_on: { usual: 'BYRQ' },
  work_started_on: { usual: 'GZRQ' },
  phone: { usual: 'LXDH' },
  address: { usual: 'TXDZ' },
  postal_code: { usual: 'YZBM' },
  authority_code: { usual: 'LQZY', required: true },
  authority_name: { usual: 'LQZYMC' },
  level: { usual: 'CCDM', required: true },
  study_form: { usual: 'XXXSDM' },
  schooling_years: { usual: 'XZ' },
  total_score: { usual: 'ZF' },
  bonus_score: { usual: 'CJX91' },
  admitted_on: { usual: 'LQRQ' },
  site: { usual: 'BXDW' },
}

const isField = (name: string): name is EnrollmentField => name in sources

export const fields = Object.keys(sources).filter(isField)

export const usualColumns = (): EnrollmentColumn[] => fields.map((field) => ({ field, column: sources[field].usual }))

/** The fields whose codes the authority gives its own meaning. The level's differ most, so they come first. */
export const coded = [
  'level',
  'study_form',
  'gender',
  'ethnicity',
  'political_status',
  'exam_category',
  'pre_edu_level',
] as const satisfies readonly EnrollmentField[]

export type Coded = (typeof coded)[number]

/** Sets the column of a field; an empty one is not read. */
export const withColumn = (columns: readonly EnrollmentColumn[], field: EnrollmentField, column: string) => {
  const others = columns.filter((each) => each.field !== field)
  return fields.flatMap((each) => {
    if (each === field) return column ? [{ field, column }] : []
    return others.filter((other) => other.field === each)
  })
}

/** Why the columns cannot be sent yet; `nameOf` says what a field is called. */
export const columnsRefusal = (columns: readonly EnrollmentColumn[], nameOf: (field: EnrollmentField) => string) => {
  const missing = fields.filter(
    (field) => sources[field].required && !columns.some((each) => each.field === field && each.column.trim()),
  )
  if (missing.length > 0) return `请填写${missing.map(nameOf).join('、')}的来源列`
  const used = new Set<string>()
  for (const { column } of columns) {
    const name = column.trim().toUpperCase()
    if (used.has(name)) return `来源列“${column.trim()}”只能使用一次`
    used.add(name)
  }
  return undefined
}

/** A code of the authority as it is typed. */
export interface TypedValue {
  field: EnrollmentField
  code?: string
  value?: string
}

/** Why the codes cannot be sent yet. */
export const valuesRefusal = (values: readonly TypedValue[], nameOf: (field: EnrollmentField) => string) => {
  const seen = new Set<string>()
  for (const { field, code, value } of values) {
    const typed = code?.trim()
    if (!typed || !value) return `请填写${nameOf(field)}的代码和对应值，或移除空行`
    const known = `${field} ${typed.toUpperCase()}`
    if (seen.has(known)) return `“${nameOf(field)}”的代码“${typed}”只能对应一个值`
    seen.add(known)
  }
  return undefined
}

/** As they are sent: without the spaces around them. */
export const sentColumns = (columns: readonly EnrollmentColumn[]): EnrollmentColumn[] =>
  columns.map(({ field, column }) => ({ field, column: column.trim() })).filter(({ column }) => column !== '')

export const sentValues = (values: readonly TypedValue[]): EnrollmentValue[] =>
  values.map(({ field, code = '', value = '' }) => ({ field, code: code.trim(), value }))
