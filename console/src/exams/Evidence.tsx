import { FilesInput } from '@/kit/FilesInput'

interface EvidenceProps {
  /** The numbers of the files. */
  value?: number[]
  onChange?: (ids: number[]) => void
  'aria-label'?: string
}

/** What proves a deferral, a case or what happened in a room. */
export const EvidenceInput = (control: EvidenceProps) => <FilesInput {...control} by={({ id }) => id} purpose="exam" />

interface FilesProps {
  label: string
  files: readonly { id: number; name: string; url: string }[]
}

/** Files of a case; the addresses last some minutes. */
export const EvidenceFiles = ({ label, files }: FilesProps) => (
  <section aria-label={label}>
    <h3>{label}</h3>
    {files.length === 0 && <p className="nothing">没有附件</p>}
    <ul>
      {files.map(({ id, name, url }) => (
        <li key={id}>
          <a href={url} target="_blank" rel="noopener noreferrer">
            {name}
          </a>
        </li>
      ))}
    </ul>
  </section>
)
