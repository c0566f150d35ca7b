import { useQuery } from '@tanstack/react-query'
import { useRequest } from '@/api/schoolContext'
import { formatNumber } from '@/kit/format'
import { Failed } from '@/kit/Loaded'
import { FIRST_PAGE } from '@/kit/useQueryTable'
import { listExamSeats } from './api'
import type { Dragged } from './seatGrid'

const MOST = 100

interface UnseatedProps {
  sessionId: number
  movable: boolean
  picked: Dragged | undefined
  onPick: (dragged: Dragged | undefined) => void
}

/** 未编排: who still has no seat, to be dragged onto a free one. */
export const UnseatedPeople = ({ sessionId, movable, picked, onPick }: UnseatedProps) => {
  const request = useRequest()
  const body = { sessionId, seated: false, pageCurrent: FIRST_PAGE, pageSize: MOST }
  const query = useQuery({
    queryKey: [listExamSeats.path, 'unseated', body],
    queryFn: ({ signal }) => request(listExamSeats, { body }, { signal }),
  })
  const { data } = query
  if (query.isError && !data)
    return <Failed title="未编排的考生没有加载成功" error={query.error} retry={() => query.refetch()} />
  if (!data || data.totalCount === 0) return null
  return (
    <section aria-label="未编排">
      <h3>未编排 {formatNumber(data.totalCount)}人</h3>
      <ul>
        {data.list.map(({ id, name, studentNo, courseName }) => (
          <li key={id}>
            <button
              type="button"
              disabled={!movable}
              draggable={movable}
              aria-pressed={picked?.candidateId === id}
              onDragStart={() => onPick({ candidateId: id })}
              onDragEnd={() => onPick(undefined)}
              onClick={() => onPick(picked?.candidateId === id ? undefined : { candidateId: id })}
            >
              {[name, studentNo, courseName].filter(Boolean).join(' ')}
            </button>
          </li>
        ))}
      </ul>
      {data.totalCount > data.list.length && (
        <p className="form-hint">只列出前{formatNumber(MOST)}人，全部在名单中。</p>
      )}
    </section>
  )
}
