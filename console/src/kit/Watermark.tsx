import { useMemo } from 'react'
import { useIdentity } from '@/api/identity'
import { formatTime } from './format'

const escaped = (text: string) => text.replace(/[<>&"]/g, (c) => `&#${c.charCodeAt(0)};`)

/** Account and time, faintly, over a page with personal data. */
export const Watermark = () => {
  const account = useIdentity((state) => state.account)
  const image = useMemo(() => {
    const words = escaped(`${account?.realName ?? ''} ${account?.loginName ?? ''}`)
    const time = formatTime(new Date(), 'YYYY-MM-DD HH:mm')
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="260" height="160"><g transform="rotate(-22 130 80)" font-size="13" fill="#888" fill-opacity="0.13" font-family="sans-serif" text-anchor="middle"><text x="130" y="76">${words}</text><text x="130" y="96">${time}</text></g></svg>`
    return `url("data:image/svg+xml,${encodeURIComponent(svg)}")`
  }, [account?.realName, account?.loginName])
  return <div className="watermark" aria-hidden="true" style={{ backgroundImage: image }} />
}
