import { Button, Modal, Table } from '@arco-design/web-react'
import { useMutation } from '@tanstack/react-query'
import { tellSuccess } from '@/api/errors'
import { saveBlob } from '@/api/files'
import { useAllowed } from '@/api/identity'
import { refetchAll } from '@/api/query'
import { useRequest } from '@/api/schoolContext'
import { type Asking, type BulkAction, type BulkEntry, type BulkResult, IN_BACKGROUND } from './actions'
import { confirm } from './confirm'
import { csvOf } from './csv'
import { formatNumber } from './format'
import { tellRowWarnings } from './saved'
import { useTellDone } from './undo'
import type { HasId, useQueryTable } from './useQueryTable'

type Selection = Pick<
  ReturnType<typeof useQueryTable>,
  'selected' | 'everything' | 'total' | 'selectEverything' | 'clearSelection'
> &
  Partial<Pick<ReturnType<typeof useQueryTable>, 'schools' | 'tickRows' | 'tickedRows'>> & {
    /** What the list was asked for. */
    body: object
  }

/** Says how many succeeded, and shows those that did not with their reasons; an operator also sees whose they are. */
export const tellFailures = (
  label: string,
  { done, failed }: BulkResult,
  numberOf?: (row: BulkResult['failed'][number]) => string | undefined,
) => {
  const named = failed.some((row) => row.schoolName)
  const numbers = numberOf ? failed.map(numberOf) : []
  const numbered = numbers.some(Boolean)
  const save = () =>
    saveBlob(
      csvOf(
        [...(named ? ['院校'] : []), '号码', '名称', '原因'],
        failed.map((row, at) => [...(named ? [row.schoolName ?? ''] : []), numbers[at] ?? row.id, row.name, row.msg]),
      ),
      `${label}失败明细.csv`,
    )
  Modal.warning({
    title: `${label}：成功${formatNumber(done)}条，失败${formatNumber(failed.length)}条`,
    style: { width: 640 },
    okText: '知道了',
    content: (
      <>
        <Table
          size="small"
          rowKey={(row) => `${row.schoolId ?? ''}-${row.id}`}
          data={failed}
          pagination={{ pageSize: 10, hideOnSinglePage: true }}
          columns={[
            ...(named ? [{ title: '院校', dataIndex: 'schoolName', width: 180 }] : []),
            { title: '名称', dataIndex: 'name', width: numbered ? 120 : 200 },
            ...(numbered
              ? [
                  {
                    title: '号码',
                    dataIndex: 'id',
                    width: 160,
                    render: (_: number, __: object, at: number) => numbers[at] ?? '—',
                  },
                ]
              : []),
            { title: '原因', dataIndex: 'msg' },
          ]}
        />
        <Button className="bulk-download" onClick={save}>
          下载失败明细
        </Button>
      </>
    ),
  })
}

/** Over many schools the question also says how many of them are meant. */
const ofSchools = <Question extends Asking>(question: Question, count: number, schools: number | undefined) =>
  schools === undefined
    ? question
    : {
        ...question,
        content: (
          <>
            涉及{formatNumber(schools)}所院校的{formatNumber(count)}条记录。{question.content}
          </>
        ),
      }

/** What the list was asked for, without its page and order. */
const filterOf = (body: object) => {
  const others = ['pageCurrent', 'pageSize', 'sortField', 'sortOrder']
  return Object.fromEntries(Object.entries(body).filter(([name]) => !others.includes(name)))
}

/** Why a step is not to be had once all that the list names are meant. */
const ONLY_TICKED = '只能对勾选的记录办理，请取消“选择全部”'

/** Whether an entry can be done for all that the list names. */
const takesAll = (entry: BulkEntry) => ('open' in entry ? entry.openAll : entry.all) !== undefined

/** The number by which people know a row, in the words of the list. */
export const numberIn =
  (rows: readonly HasId[] | undefined, read: ((row: HasId) => string | undefined) | undefined) =>
  ({ id, schoolId }: HasId) => {
    const row = rows?.find((each) => each.id === id && (!schoolId || each.schoolId === schoolId))
    return row && read?.(row)
  }

interface BulkButtonProps {
  action: BulkAction
  table: Selection
  numberOf: ((row: HasId) => string | undefined) | undefined
}

const BulkButton = ({ action, table, numberOf }: BulkButtonProps) => {
  const request = useRequest()
  const tellDone = useTellDone()
  const count = table.everything ? table.total : table.selected.length
  const run = useMutation({
    mutationFn: () =>
      request(
        action.do,
        table.everything && action.all ? action.all(filterOf(table.body)) : action.input(table.selected),
      ),
    onSuccess: async (result) => {
      const known = numberIn(table.tickedRows, numberOf)
      const failed = result.failed.map((row) => ({ row, number: known(row) }))
      const undo =
        result.done > 0 && !result.jobId ? action.undo?.(new Set(result.failed.map(({ id }) => id))) : undefined
      // What failed stays ticked, to be mended and tried again.
      if (table.tickRows) table.tickRows(result.failed)
      else table.clearSelection()
      action.show?.(result)
      await refetchAll()
      if (result.jobId) tellSuccess(IN_BACKGROUND)
      else if (result.failed.length > 0) {
        tellFailures(action.label, result, (row) => failed.find((each) => each.row === row)?.number)
      }
      tellRowWarnings(action.label, result)
      const isPart = result.failed.length > 0
      // Beside a list of failures only what can be taken back is told.
      if (!result.jobId && (undo || !isPart)) tellDone(`${action.label}：已完成${formatNumber(result.done)}条`, undo)
    },
  })
  const start = async () => {
    const question = { ...action.confirm(count), okText: action.label, danger: action.danger }
    if (await confirm(ofSchools(question, count, table.schools))) run.mutate()
  }
  return (
    <Button
      size="small"
      status={action.danger ? 'danger' : undefined}
      disabled={table.everything && !action.all}
      title={table.everything && !action.all ? ONLY_TICKED : undefined}
      loading={run.isPending}
      onClick={start}
    >
      {action.label}
    </Button>
  )
}

interface BulkBarProps {
  actions: readonly BulkEntry[]
  table: Selection
  /** The number that stands beneath the name of a row. */
  numberOf?: (row: HasId) => string | undefined
}

/** Appears over the table when rows are ticked. */
export const BulkBar = ({ actions, table, numberOf }: BulkBarProps) => {
  const allowed = useAllowed()
  const { selected, everything, total, schools } = table
  if (selected.length === 0) return null
  // Over many schools rows are ticked one by one: what a filter names is one school's.
  const mayMeanAll = schools === undefined && actions.some((entry) => allowed(entry.do) && takesAll(entry))
  return (
    <div className="bulk-bar" role="status">
      <span>已选 {formatNumber(everything ? total : selected.length)} 条</span>
      {!everything && total > selected.length && mayMeanAll && (
        <Button type="text" size="small" onClick={table.selectEverything}>
          选择全部 {formatNumber(total)} 条
        </Button>
      )}
      {actions
        .filter((action) => allowed(action.do))
        .map((action) =>
          'open' in action ? (
            <Button
              key={action.label}
              size="small"
              disabled={everything && !action.openAll}
              title={everything && !action.openAll ? ONLY_TICKED : undefined}
              onClick={() => (everything ? action.openAll?.(filterOf(table.body), total) : action.open(selected))}
            >
              {action.label}
            </Button>
          ) : (
            <BulkButton key={action.label} action={action} table={table} numberOf={numberOf} />
          ),
        )}
      <Button type="text" size="small" onClick={table.clearSelection}>
        取消选择
      </Button>
    </div>
  )
}
