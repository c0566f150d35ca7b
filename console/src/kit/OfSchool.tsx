import { QueryClientProvider } from '@tanstack/react-query'
import type { ComponentProps, ReactNode } from 'react'
import { clientOf } from '@/api/query'
import { schoolOf, type Whose, WhoseContext } from '@/api/whose'

/** What stands in it calls for these data and keeps what comes apart from those of others; with another school it begins anew. */
export const OfSchool = ({ whose, children }: { whose: Whose; children: ReactNode }) => (
  <WhoseContext.Provider value={whose}>
    <QueryClientProvider key={schoolOf(whose)} client={clientOf(schoolOf(whose))}>
      {children}
    </QueryClientProvider>
  </WhoseContext.Provider>
)

/** A row of a list over many schools says itself whose it is. */
export const whoseRow = ({ schoolId }: { schoolId?: number | null }): Whose => ({
  area: 'platform',
  schoolId: schoolId ?? undefined,
})

interface TableRowProps extends ComponentProps<'tr'> {
  record: { schoolId?: number | null }
  index: number
}

/** The same as a row of a table. */
export const TableRowOfSchool = ({ record, index: _, ...row }: TableRowProps) => (
  <OfSchool whose={whoseRow(record)}>
    <tr {...row} />
  </OfSchool>
)
