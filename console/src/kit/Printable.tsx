import { PrintPreview } from './PrintPreview'

export interface PrintColumn<Row> {
  title: string
  width: string
  /** What stands in the row with this number, from 0. */
  of: (row: Row, at: number) => string
}

interface PrintableProps<Row> {
  title: string
  /** What the sheet is about; on paper it stands on each of its pages. */
  about: readonly (readonly [label: string, words: string])[]
  columns: readonly PrintColumn<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => number
  /** Where it is signed. */
  signed?: readonly string[]
  /** Address of the picture of the seal below it. */
  seal?: string | null
  /** What is on it and what is not, for who prints it. */
  note: string
  /** Why there is nothing to print. */
  empty: string
  /** A4 upright, for sheets of few columns. */
  upright?: boolean
}

/** A sheet that is printed and signed, the same on the screen and on paper. */
export const Printable = <Row,>({ note, empty, upright, ...shown }: PrintableProps<Row>) => (
  <PrintPreview note={note} upright={upright} refused={shown.rows.length === 0 ? empty : undefined}>
    <Sheet {...shown} />
  </PrintPreview>
)

const Sheet = <Row,>({
  title,
  about,
  columns,
  rows,
  keyOf,
  signed = [],
  seal,
}: Omit<PrintableProps<Row>, 'note' | 'empty' | 'upright'>) => (
  <>
    <table className="sheet">
      <caption>{title}</caption>
      <thead>
        <tr>
          <td className="sheet-about" colSpan={columns.length}>
            {about.map(([label, words]) => (
              <span key={label} className="sheet-fact">
                {label}：{words}
              </span>
            ))}
          </td>
        </tr>
        <tr>
          {columns.map(({ title, width }) => (
            <th key={title} scope="col" style={{ width }}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, at) => (
          <tr key={keyOf(row)}>
            {columns.map(({ title, of }) => (
              <td key={title}>{of(row, at)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
    {signed.length > 0 && (
      <p className="sheet-signed">
        {signed.map((who) => (
          <span key={who} className="sheet-signature">
            {who}：
          </span>
        ))}
      </p>
    )}
    {seal && <img className="sheet-seal" src={seal} alt="院校印章" />}
  </>
)
