/** The product's zone; a picked time has none. */
const ZONE = '+08:00'

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
