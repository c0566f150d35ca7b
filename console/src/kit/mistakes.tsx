/** Mistakes that a screen must not be able to make. Never run or bundled: the check fails when one of them compiles. */
import { call } from '@/api/client'
import { listSchools, resumeSchool, saveSchool } from '@/schools/api'
import { step } from './actions'
import { columnsOf } from './columns'
import { ExportButton } from './ExportButton'
import { fieldsOf } from './Field'
import { TextFilter } from './filters'
import { useQueryTable } from './useQueryTable'

const Field = fieldsOf(saveSchool)

export const mistakes = [
  // @ts-expect-error the row has no such field
  () => columnsOf(listSchools, ['nickname']),
  // @ts-expect-error the enumeration has no such value
  () => columnsOf(listSchools, [{ field: 'status', tones: { gone: 'good' } }]),
  // @ts-expect-error the body has no such field
  () => <Field name="nickname" />,
  // @ts-expect-error the list has no such filter
  () => <TextFilter of={listSchools} field="nickname" />,
  // @ts-expect-error the call needs an id
  () => step(resumeSchool, { label: '恢复', with: {}, done: '已恢复' }),
  // @ts-expect-error the id is a number
  () => call(resumeSchool, { query: { id: '7' } }),
  // @ts-expect-error the call needs a body
  () => call(saveSchool),
  // @ts-expect-error the operation answers no page
  () => useQueryTable(saveSchool),
  // @ts-expect-error the operation answers no file
  () => <ExportButton do={listSchools} table={{ body: {}, total: 0 }} />,
]
