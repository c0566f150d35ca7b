import type { OperationMeta } from '@/api/operation'

/** The product's zone; a picked time has none. */
const ZONE = '+08:00'

/** The moments among the fields of an operation's body. */
export const momentsOf = ({ fields }: Pick<OperationMeta, 'fields'>) =>
  Object.keys(fields).filter((name) => fields[name]?.kind === 'datetime')

/** Times as a calendar gives them (`2026-11-21 10:00:00`), as the wire wants them; others stay. */
export const withZone = (values: object, fields: readonly string[]) =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      fields.includes(name) && typeof value === 'string' && /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(value)
        ? value.replace(' ', 'T') + ZONE
        : value,
    ]),
  )
