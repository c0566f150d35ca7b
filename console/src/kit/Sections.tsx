import { type ReactNode, useId } from 'react'

interface SectionsProps {
  /** What the sections are of. */
  label: string
  sections: readonly { title: string; content: ReactNode }[]
  /** Of each section's content. */
  className?: string
}

/** A long form on one page: everything is seen at once, and the words above lead to its parts. */
export const Sections = ({ label, sections, className }: SectionsProps) => {
  const id = useId()
  const headingOf = (at: number) => `${id}-${at}`
  return (
    <>
      <nav className="section-links" aria-label={label}>
        {sections.map(({ title }, at) => (
          <button
            key={title}
            type="button"
            onClick={() => document.getElementById(headingOf(at))?.scrollIntoView({ block: 'start' })}
          >
            {title}
          </button>
        ))}
      </nav>
      {sections.map(({ title, content }, at) => (
        <section key={title} aria-labelledby={headingOf(at)} className="form-section">
          <h3 id={headingOf(at)}>{title}</h3>
          <div className={className}>{content}</div>
        </section>
      ))}
    </>
  )
}
