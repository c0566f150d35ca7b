import { IconFile } from '@arco-design/web-react/icon'
import { formatBytes } from '@/kit/format'
import './support.css'

interface FilesProps {
  files: readonly { id: number; name: string; size: number; url: string }[]
}

/** Attachments; the addresses of private ones last some minutes, so they come with what was just read. */
export const Files = ({ files }: FilesProps) =>
  files.length === 0 ? null : (
    <ul className="help-files" aria-label="附件">
      {files.map(({ id, name, size, url }) => (
        <li key={id}>
          <IconFile />
          <a href={url} target="_blank" rel="noopener noreferrer">
            {name}
          </a>
          <span className="nothing">{formatBytes(size)}</span>
        </li>
      ))}
    </ul>
  )
