import './siteContent.css'

interface ThumbProps {
  url?: string | null
  name: string
}

/** A picture in a list. */
export const Thumb = ({ url, name }: ThumbProps) =>
  url ? (
    <img className="site-thumb" src={url} alt={name} loading="lazy" />
  ) : (
    <span className="nothing">—</span>
  )
