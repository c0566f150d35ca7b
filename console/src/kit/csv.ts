/** A small table as a file that spreadsheet programs open with its Chinese intact. */
export const csvOf = (heading: readonly string[], rows: readonly (readonly (string | number)[])[]) => {
  // A cell that begins like a formula is not one.
  const cell = (value: string | number) =>
    `"${String(value)
      .replace(/^[=+\-@\t]/, "'$&")
      .replaceAll('"', '""')}"`
  const lines = [heading, ...rows].map((row) => row.map(cell).join(','))
  return new Blob([`\uFEFF${lines.join('\r\n')}`], { type: 'text/csv;charset=utf-8' })
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
const text = (value: unknown) => (value === undefined || value === null ? '' : String(value))

/** The failures of a job: of an import (`row, column, message`) or of a bulk action (`name, msg`). */
export const errorRows = (errors: unknown): string[][] =>
  (Array.isArray(errors) ? errors : [])
    .filter(isRecord)
    .map(({ row, column, message, name, msg }) => [text(row), text(column ?? name), text(message ?? msg)])
