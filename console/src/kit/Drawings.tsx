import type { ReactNode } from 'react'

/** The four kinds of emptiness, each with a drawing of its own, in the colours of the theme. */

export type Emptiness = 'nothing' | 'noMatch' | 'noRight' | 'notSet'

const Sheet = () => (
  <>
    <rect x="46" y="18" width="58" height="74" rx="6" className="paper" />
    <path d="M58 38h34M58 50h34M58 62h22" className="stroke" />
    <ellipse cx="75" cy="102" rx="48" ry="5" className="shade" />
  </>
)

const drawings: Record<Emptiness, ReactNode> = {
  nothing: (
    <>
      <ellipse cx="75" cy="102" rx="52" ry="5" className="shade" />
      <path d="M28 62 42 34h66l14 28v30a6 6 0 0 1-6 6H34a6 6 0 0 1-6-6z" className="paper" />
      <path d="M28 62h28c0 10 8 17 19 17s19-7 19-17h28v30a6 6 0 0 1-6 6H34a6 6 0 0 1-6-6z" className="tint" />
      <path d="M75 8v14M48 14l6 11M102 14l-6 11" className="stroke accent" />
    </>
  ),
  noMatch: (
    <>
      <Sheet />
      <circle cx="98" cy="70" r="20" className="lens" />
      <path d="m112 85 16 16" className="stroke thick" />
      <path d="m91 63 14 14m0-14-14 14" className="stroke accent" />
    </>
  ),
  noRight: (
    <>
      <Sheet />
      <rect x="80" y="64" width="40" height="32" rx="5" className="tint" />
      <path d="M89 64v-8a11 11 0 0 1 22 0v8" className="stroke thick" />
      <circle cx="100" cy="79" r="4" className="dot" />
    </>
  ),
  notSet: (
    <>
      <ellipse cx="75" cy="102" rx="52" ry="5" className="shade" />
      <rect x="24" y="30" width="102" height="62" rx="6" className="paper" strokeDasharray="6 5" />
      <path d="M75 44v34M58 61h34" className="stroke accent thick" />
    </>
  ),
}

export const Drawing = ({ of }: { of: Emptiness }) => (
  <svg className="drawing" viewBox="0 0 150 110" width="150" height="110" aria-hidden="true">
    {drawings[of]}
  </svg>
)
