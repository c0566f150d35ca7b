import type { ReactNode } from 'react'
import { Watermark } from './Watermark'

interface PageProps {
  title: string
  /** One line: what this page is for. */
  help?: string
  /** Personal data are shown: a faint watermark names who looked, and when. */
  personal?: boolean
  children: ReactNode
}

/** A page under the tabs: its heading, then filters, toolbar and table. */
export const Page = ({ title, help, personal = false, children }: PageProps) => (
  <section className="page" aria-label={title}>
    <header className="page-head">
      <h1>{title}</h1>
      {help && <p>{help}</p>}
    </header>
    {children}
    {personal && <Watermark />}
  </section>
)
