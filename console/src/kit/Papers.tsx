import { FileUpload } from './FileUpload'
import { isPicture } from './picture'
import './papers.css'

/** As many as a record may have. */
const MOST = 20

interface Paper<Kind extends string> {
  kind: Kind
  key: string
}

interface PapersInputProps<Kind extends string> {
  /** What is asked for, by kind and label. */
  kinds: readonly (readonly [kind: Kind, label: string])[]
  /** Whether there may be several of a kind. */
  several: (kind: Kind) => boolean
  /** Papers that are there already, with their names. */
  stored: readonly { key: string; name: string }[]
  /** For what they are uploaded, where they are no papers of a registration. */
  purpose?: string
  value?: Paper<Kind>[]
  onChange?: (papers: Paper<Kind>[]) => void
  'aria-label'?: string
}

/** 材料: files by their kinds; what is private is uploaded as such. */
export const PapersInput = <Kind extends string>(props: PapersInputProps<Kind>) => {
  const { kinds, several, stored, purpose = 'registration', value = [], onChange, 'aria-label': name } = props
  const nameOf = (key: string) => stored.find((paper) => paper.key === key)?.name
  const replace = (old: Paper<Kind> | undefined, kind: Kind, key: string | null) => {
    const next = key ? [{ kind, key }] : []
    onChange?.(old ? value.flatMap((paper) => (paper.key === old.key ? next : [paper])) : [...value, ...next])
  }
  return (
    <ul aria-label={name} className="papers-input">
      {kinds.map(([kind, label]) => {
        const there = value.filter((paper) => paper.kind === kind)
        const wanted = there.length === 0 || (several(kind) && value.length < MOST)
        return (
          <li key={kind}>
            <span>{label}</span>
            {there.map((paper) => (
              <div key={paper.key}>
                {nameOf(paper.key) && <small>{nameOf(paper.key)}</small>}
                <FileUpload
                  type={3}
                  purpose={purpose}
                  accept=".pdf,.jpg,.jpeg,.png"
                  aria-label={label}
                  value={paper.key}
                  onChange={(key) => replace(paper, kind, key)}
                />
              </div>
            ))}
            {wanted && (
              <FileUpload
                key={there.length}
                type={3}
                purpose={purpose}
                accept=".pdf,.jpg,.jpeg,.png"
                aria-label={label}
                onChange={(key) => replace(undefined, kind, key)}
              />
            )}
          </li>
        )
      })}
    </ul>
  )
}

/** A paper to be opened by itself; a picture is looked at in its place. */
export const PaperFigure = ({ label, name, url }: { label: string; name: string; url: string | null | undefined }) => {
  const shown = url && isPicture(name) ? <img src={url} alt={label} /> : <span className="paper-file">{name}</span>
  return (
    <figure>
      {url ? (
        <a href={url} target="_blank" rel="noopener noreferrer">
          {shown}
        </a>
      ) : (
        shown
      )}
      <figcaption>{label}</figcaption>
    </figure>
  )
}
