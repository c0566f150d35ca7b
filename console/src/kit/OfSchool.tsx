import { QueryClientProvider } from '@tanstack/react-query'
import type { ComponentProps, ReactNode } from 'react'
import { clientOf } from '@/api/query'
import { type SchoolContext, SchoolProvider, schoolOf } from '@/api/schoolContext'

/** What stands in it calls for these data and keeps what comes apart from those of others; with another school it begins anew. */
export const OfSchool = ({ context, children }: { context: SchoolContext; children: ReactNode }) => (
  <SchoolProvider value={context}>
    <QueryClientProvider key={schoolOf(context)} client={clientOf(schoolOf(context))}>
      {children}
    </QueryClientProvider>
  </SchoolProvider>
)

/** A row of a list over many schools says itself whose it is. */
export const contextOfRow = ({ schoolId }: { schoolId?: number | null }): SchoolContext => ({
  area: 'platform',
  schoolId: schoolId ?? undefined,
})

interface TableRowProps extends ComponentProps<'tr'> {
  record: { schoolId?: number | null }
  index: number
}

/** The same as a row of a table. */
export const TableRowOfSchool = ({ record, index: _, ...row }: TableRowProps) => (
  <OfSchool context={contextOfRow(record)}>
    <tr {...row} />
  </OfSchool>
)
