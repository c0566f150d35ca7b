import { Alert } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { fieldErrors, messageOf } from '@/api/errors'
import { useAllowed } from '@/api/identity'
import { useRequest } from '@/api/schoolContext'
import { formatNumber } from '@/kit/format'
import { useSettled } from '@/kit/useSettled'
import { checkArrange } from './api'
import { resourceWord } from './choices'
import { type ArrangeBody, bodyOf, type Checked, conflictWords, skippedWords, type Typed } from './timetableRules'

/** So many clashes are named in the form. */
const NAMED = 10

/** What is in the way, a line each. */
export const Conflicts = ({ conflicts }: { conflicts: Checked['conflicts'] }) => {
  const more = conflicts.length - NAMED
  return (
    <ul className="check-lines" aria-label="冲突">
      {conflicts.slice(0, NAMED).map((conflict) => {
        const words = conflictWords(conflict, resourceWord)
        return <li key={words}>{words}</li>
      })}
      {more > 0 && <li>另有{formatNumber(more)}处冲突</li>}
    </ul>
  )
}

const Lines = ({ lines }: { lines: readonly string[] }) => (
  <ul className="check-lines">
    {lines.map((line) => (
      <li key={line}>{line}</li>
    ))}
  </ul>
)

const Result = ({ sessions, skipped, conflicts, warnings }: Checked) => {
  const notes = [...skippedWords(skipped), ...warnings]
  if (conflicts.length > 0)
    return (
      <Alert
        type="error"
        title={`有${formatNumber(conflicts.length)}处时间冲突，不能保存`}
        content={<Conflicts conflicts={conflicts} />}
      />
    )
  return (
    <Alert
      type={warnings.length > 0 ? 'warning' : 'success'}
      title={`没有时间冲突，共${formatNumber(sessions)}次课`}
      content={notes.length > 0 ? <Lines lines={notes} /> : undefined}
    />
  )
}

interface CheckedArrangeProps {
  typed: Typed
  /** The arrangement that is edited, which is no clash of its own. */
  but: number | undefined
}

/** What would come of an arrangement, as soon as it can be judged: how many sessions, and who and what is not free. */
export const CheckedArrange = ({ typed, but }: CheckedArrangeProps) => {
  const request = useRequest()
  const may = useAllowed()(checkArrange)
  const body = bodyOf(typed)
  const asked = useSettled(body ? JSON.stringify(body) : '')
  const found = useQuery({
    queryKey: [checkArrange.path, but, asked],
    queryFn: ({ signal }) => {
      const body: ArrangeBody = JSON.parse(asked)
      return request(checkArrange, { query: { id: but }, body }, { signal, quiet: () => true })
    },
    enabled: may && asked !== '',
    // What was free a moment ago may be taken now: no answer is kept for the next time.
    staleTime: 0,
    gcTime: 0,
  })
  if (!may || asked === '') return null
  const refused = fieldErrors(found.error).map(({ message }) => message)
  return (
    <div className="form-wide arrange-check" role="status" aria-busy={found.isFetching}>
      {found.isError && (
        <Alert type="warning" content={<Lines lines={refused.length > 0 ? refused : [messageOf(found.error)]} />} />
      )}
      {found.data && !found.isError && <Result {...found.data} />}
    </div>
  )
}
