/** What belongs to a contact; the addresses last some minutes. */
export const Files = ({ files }: { files: readonly { id: number; name: string; url: string }[] }) =>
  files.length > 0 && (
    <ul className="supervise-files" aria-label="附件">
      {files.map(({ id, name, url }) => (
        <li key={id}>
          <a href={url} target="_blank" rel="noreferrer">
            {name}
          </a>
        </li>
      ))}
    </ul>
  )
