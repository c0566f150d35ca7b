import type { FieldMeta, OperationMeta } from '@/api/operation'

/** What the document says of a field, in the body or in the answer. */
export const fieldOf = (operation: OperationMeta, name: string): FieldMeta =>
  operation.columns[name] ?? operation.fields[name] ?? { label: name, kind: 'text' }

/** The Chinese word of an enumeration's value. */
export const labelOf = (operation: OperationMeta, field: string, value: string | null | undefined) =>
  [operation.columns[field], operation.fields[field]]
    .flatMap((meta) => meta?.options ?? [])
    .find(([code]) => code === value)?.[1] ??
  value ??
  ''
