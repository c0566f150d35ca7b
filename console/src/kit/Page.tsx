import type { ReactNode } from 'react'
import { useSchoolContext } from '@/api/schoolContext'
import { Word } from './Status'
import { useSchoolChoice } from './schoolChoice'
import { Watermark } from './Watermark'

interface PageProps {
  title: string
  /** One line: what this page is for. */
  help?: string
  /** Personal data are shown: a faint watermark names who looked, and when. */
  personal?: boolean
  children: ReactNode
}

/** Whose data an operator has chosen, and whether they are only read. */
const ChosenSchool = () => {
  const context = useSchoolContext()
  const name = useSchoolChoice()?.name
  if (context.area === 'school' || !name) return null
  return (
    <span className="page-school">
      <Word tone="busy">{name}</Word>
      {context.readOnly && <Word tone="warning">只读</Word>}
    </span>
  )
}

/** A page under the tabs: its heading, then filters, toolbar and table. */
export const Page = ({ title, help, personal = false, children }: PageProps) => (
  <section className="page" aria-label={title}>
    <header className="page-head">
      <h1>{title}</h1>
      <ChosenSchool />
      {help && <p>{help}</p>}
    </header>
    {children}
    {personal && <Watermark />}
  </section>
)
