import { useQuery } from '@tanstack/react-query'
import { useCall } from '@/api/schoolContext'
import { Loaded } from '@/kit/Loaded'
import { TabPanels } from '@/kit/TabList'
import type { AuditOperations } from './audits'
import { VersionPreview } from './VersionPreview'
import './catalogue.css'

/** A field of a version of anything, and what is published of it. */
interface Difference {
  field: string
  label: string
  before?: string | null
  after?: string | null
}

interface SideProps {
  of: Difference
  text: string | null | undefined
  /** Where the file of this side is read. */
  fileUrl?: string | null | undefined
}

const Side = ({ of: { field, label }, text, fileUrl }: SideProps) => {
  if (!text) return <span className="nothing">—</span>
  if (field === 'file' && fileUrl) {
    return (
      <a href={fileUrl} target="_blank" rel="noopener noreferrer">
        {text}
      </a>
    )
  }
  return field === 'cover' ? <img className="banner-thumb" src={text} alt={label} loading="lazy" /> : text
}

/** In what a version differs from what is published, field by field. */
export const Differences = ({ of, fileUrl }: { of: readonly Difference[]; fileUrl?: string | null | undefined }) => (
  <table className="log-changes differences">
    <caption>变更内容</caption>
    <thead>
      <tr>
        <th scope="col">变更项</th>
        <th scope="col">已发布</th>
        <th scope="col">待审</th>
      </tr>
    </thead>
    <tbody>
      {of.map((difference) => (
        <tr key={difference.field}>
          <th scope="row">{difference.label}</th>
          <td>
            <Side of={difference} text={difference.before} />
          </td>
          <td>
            <Side of={difference} text={difference.after} fileUrl={fileUrl} />
          </td>
        </tr>
      ))}
    </tbody>
  </table>
)

/** A version in full, for those who only look. */
export const AuditFile = ({ id, of }: { id: number; of: AuditOperations }) => {
  const call = useCall()
  const query = useQuery({
    queryKey: [of.list.path, of.view.path, id],
    queryFn: () => call(of.view, { query: { id } }),
  })
  return (
    <Loaded query={query}>
      {(version) => (
        <>
          <p>
            提交人：{version.submitterName ?? '—'}
            {version.auditOpinion && `；审核意见：${version.auditOpinion}`}
          </p>
          <TabPanels
            label="版本"
            panels={[
              { title: '变更内容', content: <Differences of={version.differences} fileUrl={version.fileUrl} /> },
              { title: '预览', content: <VersionPreview of={version} /> },
            ]}
          />
        </>
      )}
    </Loaded>
  )
}
