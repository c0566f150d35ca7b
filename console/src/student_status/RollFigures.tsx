import { Button, Drawer, Empty, Table } from '@arco-design/web-react'
import { IconFile } from '@arco-design/web-react/icon'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { BodyOf, DataOf } from '@/api/operation'
import { isOverAll, useRequest, useSchoolContext } from '@/api/schoolContext'
import type { Cohort } from '@/api/types/student_status'
import { Can } from '@/kit/Can'
import { DialogName } from '@/kit/DialogName'
import { formatNumber, formatTime } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import { labelOf } from '@/kit/labels'
import { TabList } from '@/kit/TabList'
import { useThemeColours } from '@/kit/themeColours'
import { countStudents, listStudents } from './api'
import { barsOf, namesOf, partOf, type Way, ways } from './rollFigures'
import '@/kit/figures.css'
import './studentStatus.css'

type Asked = BodyOf<typeof countStudents>
type Figures = DataOf<typeof countStudents>

const EACH = 'each'
const tabs = [...ways, [EACH, '明细']] as const

const wordOf = (way: Way, name: string) => (way === 'studyForm' ? labelOf(listStudents, way, name) : name)
const titleOf = (way: Way) => ways.find(([each]) => each === way)?.[1].slice(1)

/** Bars with their figures: what a bar is made of stands in the columns beside it. */
const Stacked = ({ figures: { cohorts, total }, way }: { figures: Figures; way: Way }) => {
  const { palette } = useThemeColours()
  const part = partOf(way)
  const parts = namesOf(cohorts, part)
  const bars = barsOf(cohorts, way)
  const most = Math.max(1, ...bars.map((bar) => bar.total))
  const colour = (at: number) => ({ background: palette[at % palette.length] })
  return (
    <table className="overview-bars roll-bars">
      <caption className="unseen">{`在籍统计：${titleOf(way)}`}</caption>
      <thead>
        <tr>
          <th scope="col">{titleOf(way)}</th>
          <th scope="col">人数</th>
          {parts.map((name, at) => (
            <th key={name} scope="col" className="number">
              <i className="chart-key" style={colour(at)} />
              {wordOf(part, name)}
            </th>
          ))}
          <th scope="col" className="number">
            合计
          </th>
        </tr>
      </thead>
      <tbody>
        {bars.map((bar) => (
          <tr key={bar.name}>
            <th scope="row" title={wordOf(way, bar.name)}>
              {wordOf(way, bar.name)}
            </th>
            <td>
              <span className="roll-bar" aria-hidden="true">
                {bar.parts.map((count, at) => (
                  <span key={parts[at]} style={{ ...colour(at), width: `${(count * 100) / most}%` }} />
                ))}
              </span>
            </td>
            {bar.parts.map((count, at) => (
              <td key={parts[at]} className="number">
                {formatNumber(count)}
              </td>
            ))}
            <td className="number">
              <strong>{formatNumber(bar.total)}</strong>
            </td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">合计</th>
          <td />
          {parts.map((name, at) => (
            <td key={name} className="number">
              {formatNumber(bars.reduce((sum, bar) => sum + (bar.parts[at] ?? 0), 0))}
            </td>
          ))}
          <td className="number">
            <strong>{formatNumber(total)}</strong>
          </td>
        </tr>
      </tfoot>
    </table>
  )
}

const keyOf = ({ gradeName, levelName, studyForm, siteName }: Cohort) =>
  [gradeName, levelName, studyForm, siteName].join('-')

/** Every grade, level, form and site by itself. */
const Each = ({ cohorts }: { cohorts: readonly Cohort[] }) => (
  <Table
    rowKey={keyOf}
    size="small"
    border={{ wrapper: true }}
    pagination={{ pageSize: 20, hideOnSinglePage: true }}
    data={[...cohorts]}
    columns={[
      { title: '年级', dataIndex: 'gradeName', width: 110 },
      { title: '层次', dataIndex: 'levelName', width: 110 },
      {
        title: '学习形式',
        dataIndex: 'studyForm',
        width: 110,
        render: (form: string) => labelOf(listStudents, 'studyForm', form),
      },
      { title: '站点', dataIndex: 'siteName' },
      {
        title: '人数',
        dataIndex: 'count',
        width: 100,
        align: 'right',
        render: (count: number) => formatNumber(count),
      },
    ]}
  />
)

const FiguresDrawer = ({ filter, onClose }: { filter: Asked; onClose: () => void }) => {
  const request = useRequest()
  const [tab, setTab] = useState<Way | typeof EACH>('siteName')
  const told = useQuery({
    queryKey: [countStudents.path, filter],
    queryFn: ({ signal }) => request(countStudents, { body: filter }, { signal }),
    placeholderData: keepPreviousData,
  })
  return (
    <Drawer title="在籍统计" width={960} visible footer={null} onCancel={onClose} unmountOnExit>
      <DialogName name="在籍统计" />
      <Loaded query={told}>
        {(figures) => (
          <>
            <p className="form-lead">
              共{formatNumber(figures.total)}人，与列表条数相等；条件与列表相同，截至
              {formatTime(new Date(told.dataUpdatedAt), 'YYYY-MM-DD HH:mm')}
            </p>
            <TabList label="统计方式" tabs={tabs} value={tab} onChange={setTab} />
            {figures.total === 0 && <Empty description="没有符合条件的学生" />}
            {figures.total > 0 &&
              (tab === EACH ? <Each cohorts={figures.cohorts} /> : <Stacked figures={figures} way={tab} />)}
          </>
        )}
      </Loaded>
    </Drawer>
  )
}

/** 在籍统计: the students of the list by grade, level, form and site; over all schools there is no sum of theirs. */
export const RollFigures = ({ table }: { table: { body: object } }) => {
  const [open, setOpen] = useState(false)
  const overAll = isOverAll(useSchoolContext())
  if (overAll) return null
  const filter: Asked = Object.fromEntries(
    Object.entries(table.body).filter(([name]) => name in countStudents.fields && !name.startsWith('page')),
  )
  return (
    <Can do={countStudents}>
      <Button icon={<IconFile />} onClick={() => setOpen(true)}>
        在籍统计
      </Button>
      {open && <FiguresDrawer filter={filter} onClose={() => setOpen(false)} />}
    </Can>
  )
}
