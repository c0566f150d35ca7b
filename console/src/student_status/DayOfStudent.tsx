import { Descriptions } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useAllowed } from '@/api/identity'
import type { RowOf } from '@/api/operation'
import { useRequest } from '@/api/schoolContext'
import { show } from '@/kit/columns'
import { DateInput } from '@/kit/DateInput'
import { formatTime } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import { fieldOf } from '@/kit/labels'
import { Word } from '@/kit/Status'
import { listStudentsAsOf } from './api'
import { askedOf, dayRefused, firstSpan } from './asOf'
import { statusTones } from './tones'
import './studentStatus.css'

type Row = RowOf<typeof listStudentsAsOf>

const LABEL = '查看某日学籍'

const names: readonly (keyof Row & string)[] = [
  'status',
  'name',
  'gradeName',
  'levelName',
  'majorName',
  'studyForm',
  'siteName',
  'className',
  'idCardNo',
  'laterChanges',
]

const Standing = ({ row, on }: { row: Row | undefined; on: string }) => {
  if (!row) return <p>{on}该生还没有学籍</p>
  return (
    <Descriptions
      title={`${on}结束时`}
      column={2}
      size="small"
      labelStyle={{ width: 112 }}
      data={names.map((name) => ({
        key: name,
        label: fieldOf(listStudentsAsOf, name).label,
        value: show(listStudentsAsOf, name, row[name], name === 'status' ? statusTones : undefined),
      }))}
    />
  )
}

/** How a student stood on a day, out of their history. */
export const DayOfStudent = ({ id }: { id: number }) => {
  const may = useAllowed()(listStudentsAsOf)
  const request = useRequest()
  const [on, setOn] = useState<string>()
  const today = formatTime(new Date(), 'YYYY-MM-DD')
  const refused = on === undefined ? undefined : dayRefused(on, today)
  const body = askedOf(on ?? today, { id: String(id) }, { ...firstSpan, pageSize: 1 })
  const told = useQuery({
    queryKey: [listStudentsAsOf.path, body],
    queryFn: ({ signal }) => request(listStudentsAsOf, { body }, { signal }),
    enabled: may && on !== undefined && !refused,
  })
  if (!may) return null
  return (
    <div className="day-of-student">
      <div className="filter">
        <span className="filter-label">{LABEL}</span>
        <DateInput aria-label={LABEL} value={on} latest={today} onChange={setOn} />
        <span role="alert">{refused && <Word tone="bad">{refused}</Word>}</span>
      </div>
      <div aria-live="polite">
        {on && !refused && (
          <Loaded query={told} rows={4}>
            {({ list: [row] }) => <Standing row={row} on={on} />}
          </Loaded>
        )}
      </div>
    </div>
  )
}
