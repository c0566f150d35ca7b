import { Empty, Table } from '@arco-design/web-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useAllowed } from '@/api/identity'
import type { RowAction } from '@/kit/actions'
import { Drawing } from '@/kit/Drawings'
import { formatNumber, formatPercent } from '@/kit/format'
import { RowActions } from '@/kit/RowActions'
import { useHeight } from '@/kit/useHeight'
import { usePrinting } from '@/kit/useMedia'
import { usePlaces } from '@/kit/usePlaces'
import type { Group } from './groups'
import { type Figure, type Figures, figuresOf, inAddress, lineFilter } from './informationRules'
import '@/kit/figures.css'
import './informationReview.css'

const HEAD_PX = 41
const SUM_PX = 41
const LEAST_BODY_PX = 160
const TICK_PX = 44
const ACTIONS_PX = 215
const BARS_PX = 220
const RATE_PX = 90
/** A heading of the figures is one line. */
const widthOf = ({ label }: Figure) => label.length * 14 + 36

interface CountProps {
  group: Group
  line: Figures
  figure: Figure
  /** What the figures were asked for. */
  asked: object
  name: string
}

/** A figure that leads to those whom it counts. */
const Count = ({ group, line, figure: { field, label, behind }, asked, name }: CountProps) => {
  const places = usePlaces()
  const filter = { ...inAddress(asked), ...inAddress(lineFilter(line)), ...behind, counted: 'true' }
  return (
    <Link className="overview-link" to={places(group.students, filter)} title={`查看${name}${label}名单`}>
      {formatNumber(line[field])}
    </Link>
  )
}

/** What is done stands first. */
const inBar = ['approved', 'classPassed', 'submitted', 'returned', 'notSubmitted'] as const

/** How the forms of a line stand, beside the longest line; the figures in its row tell the same. */
const Bar = ({ line, longest }: { line: Figures; longest: number }) => (
  <span className="information-bar" aria-hidden="true">
    {inBar.map((field) => (
      <span
        key={field}
        className={`information-${field}`}
        style={{ width: `${longest > 0 ? (line[field] * 100) / longest : 0}%` }}
      />
    ))}
  </span>
)

/** What the colours of the bars mean. */
const Legend = ({ shown }: { shown: readonly Figure[] }) => (
  <ul className="information-legend" aria-hidden="true">
    {inBar.flatMap((field) =>
      shown
        .filter((figure) => figure.field === field)
        .map(({ label }) => (
          <li key={field}>
            <i className={`information-${field}`} /> {label}
          </li>
        )),
    )}
  </ul>
)

/** What a line is: the first stands before its figures, the others behind them. */
interface Head {
  title: string
  width: number
  fixed?: 'left'
  of: (line: Figures) => ReactNode
}

interface LinesProps {
  group: Group
  lines: readonly Figures[]
  total: Figures
  asked: object
  /** What a line is called. */
  nameOf: (line: Figures) => string
  heads: readonly Head[]
  /** Bars beside the figures. */
  bars?: boolean
  actions?: (line: Figures) => readonly RowAction[]
  ticks?: {
    keys: readonly string[]
    onChange: (keys: string[]) => void
    /** Whether a line can be ticked. */
    may: (line: Figures) => boolean
  }
  /** Why there are none. */
  empty: string
}

/** What names a line among all. */
export const keyOf = ({ classId, gradeId, levelId, majorId, siteId }: Figures) =>
  classId != null ? String(classId) : `none-${gradeId}-${levelId}-${majorId}-${siteId}`

/** Figures line by line and together; each leads to its students. */
export const Lines = ({ group, lines, total, asked, nameOf, heads, bars, ticks, empty, ...rest }: LinesProps) => {
  const allowed = useAllowed()
  const printing = usePrinting()
  const [box, height] = useHeight()
  const figures = figuresOf(group.kind, total)
  const longest = Math.max(0, ...lines.map(({ should }) => should))
  // What nobody may do here takes no room.
  const has = !printing && lines.some((line) => rest.actions?.(line).some((action) => allowed(action.do)))
  const actions = has ? rest.actions : undefined
  const [first, ...others] = heads
  const before = (ticks && !printing ? 1 : 0) + 1
  const width =
    heads.reduce((sum, head) => sum + head.width, 0) +
    (ticks ? TICK_PX : 0) +
    (bars ? BARS_PX : 0) +
    figures.reduce((sum, figure) => sum + widthOf(figure), 0) +
    2 * RATE_PX +
    (actions ? ACTIONS_PX : 0)
  const headOf = ({ title, width, fixed, of }: Head) => ({
    title,
    dataIndex: title,
    width,
    fixed: printing ? undefined : fixed,
    ellipsis: !printing,
    render: (_: unknown, line: Figures) => of(line),
  })
  const rate = (title: string, help: string, of: (line: Figures) => number | null | undefined) => ({
    title: <span title={help}>{title}</span>,
    dataIndex: title,
    width: RATE_PX,
    align: 'right' as const,
    render: (_: unknown, line: Figures) => formatPercent(of(line)),
  })
  return (
    <>
      {bars && <Legend shown={figures} />}
      <div className="table-box" ref={box}>
        <Table
          rowKey={keyOf}
          size="small"
          border={{ wrapper: true }}
          pagination={false}
          data={[...lines]}
          noDataElement={<Empty icon={<Drawing of="nothing" />} description={empty} />}
          scroll={printing ? undefined : { x: width, y: Math.max(LEAST_BODY_PX, height - HEAD_PX - SUM_PX) }}
          rowSelection={
            ticks && !printing
              ? {
                  type: 'checkbox',
                  fixed: true,
                  columnWidth: TICK_PX,
                  selectedRowKeys: [...ticks.keys],
                  onChange: (keys) => ticks.onChange(keys.map(String)),
                  checkboxProps: (line) => ({ 'aria-label': `选择${nameOf(line)}`, disabled: !ticks.may(line) }),
                }
              : undefined
          }
          onRow={(line) => ({ 'data-row': keyOf(line) })}
          summary={
            lines.length > 0
              ? () => (
                  <Table.Summary fixed="bottom">
                    <Table.Summary.Row>
                      {[
                        <Table.Summary.Cell key="name" colSpan={before}>
                          合计
                        </Table.Summary.Cell>,
                        ...(bars ? [<Table.Summary.Cell key="bar" />] : []),
                        ...figures.map((figure) => (
                          <Table.Summary.Cell key={figure.field} className="information-sum">
                            <Count group={group} line={total} figure={figure} asked={asked} name="合计" />
                          </Table.Summary.Cell>
                        )),
                        <Table.Summary.Cell key="submitRate" className="information-sum">
                          {formatPercent(total.submitRate)}
                        </Table.Summary.Cell>,
                        <Table.Summary.Cell key="passRate" className="information-sum">
                          {formatPercent(total.passRate)}
                        </Table.Summary.Cell>,
                        ...others.map(({ title }) => <Table.Summary.Cell key={title} />),
                        ...(actions ? [<Table.Summary.Cell key="actions" />] : []),
                      ]}
                    </Table.Summary.Row>
                  </Table.Summary>
                )
              : undefined
          }
          columns={[
            ...(first ? [headOf(first)] : []),
            ...(bars
              ? [
                  {
                    title: '应提交及其状态',
                    dataIndex: 'bar',
                    width: BARS_PX,
                    render: (_: unknown, line: Figures) => <Bar line={line} longest={longest} />,
                  },
                ]
              : []),
            ...figures.map((figure) => ({
              title: figure.label,
              dataIndex: figure.field,
              width: widthOf(figure),
              align: 'right' as const,
              className: 'numeric',
              render: (_: unknown, line: Figures) => (
                <Count group={group} line={line} figure={figure} asked={asked} name={nameOf(line)} />
              ),
            })),
            rate('提交率', '已提交过的占应提交的百分比', ({ submitRate }) => submitRate),
            rate('通过率', '已通过占应提交的百分比', ({ passRate }) => passRate),
            ...others.map(headOf),
            ...(actions
              ? [
                  {
                    title: '操作',
                    dataIndex: 'actions',
                    width: ACTIONS_PX,
                    fixed: 'right' as const,
                    render: (_: unknown, line: Figures) => <RowActions actions={actions(line)} />,
                  },
                ]
              : []),
          ]}
        />
      </div>
    </>
  )
}
