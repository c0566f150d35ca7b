import { Button, Drawer, Pagination, Skeleton, Table } from '@arco-design/web-react'
import { IconCalendar } from '@arco-design/web-react/icon'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { RowOf } from '@/api/operation'
import { isOverAll, useRequest, useSchoolContext } from '@/api/schoolContext'
import { classes, grades, levels, majors, sites } from '@/basic_data/choices'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { DateInput } from '@/kit/DateInput'
import { DialogName } from '@/kit/DialogName'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { EnumFilter, OptionFilter, TextFilter } from '@/kit/filters'
import { formatNumber, formatTime } from '@/kit/format'
import { Failed } from '@/kit/Loaded'
import { fieldOf } from '@/kit/labels'
import { Nothing } from '@/kit/Nothing'
import { Word } from '@/kit/Status'
import { SchoolChoiceContext } from '@/kit/schoolChoice'
import { ShownColumnsContext } from '@/kit/shownColumns'
import { FIRST_PAGE } from '@/kit/useQueryTable'
import { exportStudentsAsOf, listStudentsAsOf } from './api'
import { askedOf, dayRefused, type Filters, filtersWith, firstSpan, lastMonthEnd } from './asOf'
import { statusTones } from './tones'
import './studentStatus.css'

type Row = RowOf<typeof listStudentsAsOf>

const TITLE = '某日学籍'

/** As they were called then; the number is that of today. */
const Person = ({ row: { name, studentNo } }: { row: Row }) => (
  <span className="two-lines">
    {name}
    {studentNo && <small className="beneath">{studentNo}</small>}
  </span>
)

// The number of the identity card is that of the day, and stays masked: what shows on click is the one of today.
const columns = columnsOf(listStudentsAsOf, [
  { field: 'name', width: 130, render: (row) => <Person row={row} /> },
  { field: 'status', width: 100, tones: statusTones },
  { field: 'gradeName', width: 80 },
  { field: 'levelName', width: 80 },
  { field: 'majorName', width: 130 },
  { field: 'siteName', width: 130 },
  { field: 'className', width: 170 },
  { field: 'idCardNo', width: 165 },
  { field: 'enrolledOn', width: 105 },
  { field: 'laterChanges', width: 100 },
])

const nameHeading = (
  <>
    {fieldOf(listStudentsAsOf, 'name').label}
    <small className="beneath">{fieldOf(listStudentsAsOf, 'studentNo').label}</small>
  </>
)

/** The list with its day and its filters: within a drawer they stand here, the address is the page's beneath. */
const StudentsOfDay = () => {
  const today = formatTime(new Date(), 'YYYY-MM-DD')
  const [on, setOn] = useState<string | undefined>(() => lastMonthEnd(today))
  const [filters, setFilters] = useState<Filters>({})
  const [span, setSpan] = useState(firstSpan)
  const request = useRequest()
  const refused = dayRefused(on, today)
  const body = askedOf(on ?? today, filters, span)
  const query = useQuery({
    queryKey: [listStudentsAsOf.path, body],
    queryFn: ({ signal }) => request(listStudentsAsOf, { body }, { signal }),
    placeholderData: keepPreviousData,
    enabled: !refused,
  })
  const page = refused ? undefined : query.data
  const total = page?.totalCount ?? 0
  const begin = () => setSpan({ ...span, pageCurrent: FIRST_PAGE })
  const change = (values: Readonly<Record<string, string | undefined>>) => {
    const after = filtersWith(filters, values)
    // What is searched for already is asked for again, because others work on it too.
    if (JSON.stringify(after) === JSON.stringify(filters)) query.refetch()
    setFilters(after)
    begin()
  }
  const reset = () => change(Object.fromEntries(Object.keys(filters).map((name) => [name, undefined])))
  return (
    <>
      <p className="form-lead">
        按学籍变动记录还原所选日期结束时的学籍，学号为现在的学号。之后的变动次数，是该日之后生效的学籍变动；照片、手机等不留变动记录的内容不列出。
      </p>
      <div className="as-of-day filter">
        <span className="filter-label">日期</span>
        <DateInput
          aria-label="日期"
          value={on}
          latest={today}
          onChange={(day) => {
            setOn(day)
            begin()
          }}
        />
        <span role="alert">{refused && <Word tone="bad">{refused}</Word>}</span>
      </div>
      <FilterBar table={{ operation: listStudentsAsOf, filters: { ...filters }, setFilters: change, reset }}>
        <TextFilter of={listStudentsAsOf} field="keyword" />
        <OptionFilter of={listStudentsAsOf} field="gradeId" {...grades} />
        <OptionFilter of={listStudentsAsOf} field="levelId" {...levels} />
        <EnumFilter of={listStudentsAsOf} field="status" />
        <OptionFilter of={listStudentsAsOf} field="majorId" {...majors} />
        <OptionFilter of={listStudentsAsOf} field="siteId" {...sites} />
        <OptionFilter of={listStudentsAsOf} field="classId" {...classes} />
      </FilterBar>
      <div className="toolbar as-of-tools">
        <div className="toolbar-right">
          <ExportButton do={exportStudentsAsOf} table={{ body, total }} />
        </div>
      </div>
      {!refused && query.isPending && <Skeleton text={{ rows: 10 }} animation />}
      {!refused && query.isError && (
        <Failed error={query.error} retry={() => query.refetch()} title="列表没有加载成功" />
      )}
      {page && !query.isError && (
        <>
          <Table
            className={query.isPlaceholderData ? 'table-stale' : undefined}
            rowKey="id"
            size="small"
            border={{ wrapper: true }}
            pagination={false}
            data={page.list}
            onRow={(row) => ({ 'data-row': String(row.id) })}
            noDataElement={<Nothing filtered={Object.keys(filters).length > 0} reset={reset} empty="该日还没有学生" />}
            columns={columns.map((column) => ({
              title: column.key === 'name' ? nameHeading : column.title,
              dataIndex: column.key,
              width: column.width,
              align: column.align,
              render: (_: unknown, row: Row) => column.render(row),
            }))}
          />
          <Pagination
            className="pager as-of-pager"
            size="small"
            current={span.pageCurrent}
            pageSize={span.pageSize}
            total={total}
            showTotal={(count) => `共 ${formatNumber(count)} 条`}
            sizeCanChange
            sizeOptions={[20, 50, 100, 200, 500]}
            onChange={(pageCurrent, pageSize) => setSpan({ pageCurrent, pageSize })}
          />
        </>
      )}
    </>
  )
}

/** 某日学籍: who was a student on a day, where and in which state; over all schools there is no register of theirs. */
export const StudentsAsOf = () => {
  const [open, setOpen] = useState(false)
  const overAll = isOverAll(useSchoolContext())
  if (overAll) return null
  return (
    <Can do={listStudentsAsOf}>
      <Button icon={<IconCalendar />} onClick={() => setOpen(true)}>
        {TITLE}
      </Button>
      <Drawer title={TITLE} width={1240} visible={open} footer={null} onCancel={() => setOpen(false)} unmountOnExit>
        <DialogName name={TITLE} />
        {/* School and columns are those of the page beneath: neither is chosen here. */}
        <SchoolChoiceContext.Provider value={undefined}>
          <ShownColumnsContext.Provider value={undefined}>
            <StudentsOfDay />
          </ShownColumnsContext.Provider>
        </SchoolChoiceContext.Provider>
      </Drawer>
    </Can>
  )
}
