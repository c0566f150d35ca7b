/** Mistakes that a screen must not be able to make. Never run or bundled: the check fails when one of them compiles. */
import { call } from '@/api/client'
import { step } from '@/kit/actions'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { fieldsOf } from '@/kit/Field'
import { TextFilter } from '@/kit/filters'
import { useQueryTable } from '@/kit/useQueryTable'
import { listSchools, resumeSchool, saveSchool } from '@/schools/api'

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
