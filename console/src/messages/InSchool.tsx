import { type ReactNode, useMemo } from 'react'
import { useLocation } from 'react-router'
import { useIdentity } from '@/api/identity'
import { type SchoolContext, SchoolProvider } from '@/api/schoolContext'

/** The school of an operator's look at a message that was sent to several: the address says it, `?schoolId=`. */
export const InSchool = ({ children }: { children: ReactNode }) => {
  const area = useIdentity((state) => state.account?.area)
  const schoolId = Number(new URLSearchParams(useLocation().search).get('schoolId')) || undefined
  const context = useMemo<SchoolContext>(() => ({ area: 'platform', schoolId }), [schoolId])
  if (area === 'school' || !schoolId) return children
  return <SchoolProvider value={context}>{children}</SchoolProvider>
}
