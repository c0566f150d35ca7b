import type { ReactNode } from 'react'
import { CopyButton } from './CopyButton'
import { Sections } from './Sections'
import { Watermark } from './Watermark'

interface PersonHeadProps {
  name: string
  /** Address of the picture by which the person is known. */
  photo: string | null | undefined
  /** 学号, 考生号: to be copied. */
  number: { label: string; value: string | null | undefined }
  status: ReactNode
  /** What is asked first: class, phone. */
  facts: readonly { label: string; value: ReactNode }[]
}

/** Who is looked at, at the head of their file. */
const PersonHead = ({ name, photo, number, status, facts }: PersonHeadProps) => (
  <header className="person-head">
    {photo ? (
      <img src={photo} alt={`${name}的照片`} />
    ) : (
      <span className="person-no-photo" aria-hidden>
        {name.slice(0, 1)}
      </span>
    )}
    <div>
      <h2>
        {name} {status}
      </h2>
      <p className="person-number">
        {number.label}{' '}
        {number.value ? (
          <>
            {number.value}
            <CopyButton label={number.label} value={number.value} />
          </>
        ) : (
          '—'
        )}
      </p>
      <dl>
        {facts.map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value ?? '—'}</dd>
          </div>
        ))}
      </dl>
    </div>
  </header>
)

interface PersonFileProps {
  label: string
  head: PersonHeadProps
  sections: readonly { title: string; content: ReactNode }[]
}

/** A person in full, on one page. */
export const PersonFile = ({ label, head, sections }: PersonFileProps) => (
  <div className="person-file">
    <PersonHead {...head} />
    <Sections label={label} sections={sections} />
    <Watermark />
  </div>
)
