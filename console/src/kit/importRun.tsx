import { Alert, Table } from '@arco-design/web-react'
import { useMutation } from '@tanstack/react-query'
import { useHref } from 'react-router'
import { saveBlob } from '@/api/files'
import { useIdentity } from '@/api/identity'
import { refetchAll } from '@/api/query'
import type { SharedPath } from '@/paths'
import { csvOf, errorRows } from './csv'
import { formatNumber } from './format'
import { JobProgress } from './JobProgress'
import { mendedAt } from './mending'
import { pageOf } from './menus'
import { useJob } from './useJob'
import { usePlaces } from './usePlaces'

/** What an import answers, of a dry run and of the real one. Long ones answer only `jobId`. */
export interface ImportResult {
  total: number
  imported: number
  /** Rows that are there already, where the person wished to leave them out. */
  skipped?: number
  errors: { row: number; column: string; message: string }[]
  /** What is worth a second look, where the import tells it; nothing of it is refused. */
  warnings?: { row: number; column: string; message: string }[]
  /** What differs from what is there, where an import also changes records; without a column the record is new. */
  differences?: { row: number; name: string; column: string; before: string; after: string }[]
  /** How many rows go where, by the columns that the import counts. */
  effect?: { column: string; value: string; count: number }[]
  /** The moment that all written records have in common. */
  enteredAt?: string | null
  errorFileId?: number | null
  /** The person's own sheet with columns that say what is wrong and what is worth a second look. */
  errorFileUrl?: string | null
  jobId?: number | null
  /** Of the file, sent back with the confirmation: what is written is what was checked. */
  sha256: string
}

/** One run over a file, dry or real: its answer, or its job's progress and then its result. */
export const useImportRun = <Sent, Answer extends Omit<ImportResult, 'imported'>>(
  send: (sent: Sent) => Promise<Answer>,
) => {
  const run = useMutation({ mutationFn: send, onSuccess: () => refetchAll() })
  const job = useJob(run.data?.jobId).data
  const direct = run.data?.jobId ? undefined : run.data
  const ended = job && job.state !== 'queued' && job.state !== 'running' ? job : undefined
  const errors = errorRows(direct ? direct.errors : ended?.errors)
  return {
    start: run.mutate,
    forget: run.reset,
    answer: run.data,
    isRunning: run.isPending || Boolean(run.data?.jobId && !ended),
    job,
    isOver: Boolean(direct ?? ended),
    failed: ended?.state === 'failed' || ended?.state === 'cancelled' || errors.length > 0,
    total: direct?.total ?? ended?.total ?? 0,
    message: ended?.message,
    errors,
    warnings: errorRows(direct ? direct.warnings : ended?.warnings),
    differences: direct?.differences ?? [],
    effect: direct?.effect ?? [],
    enteredAt: direct?.enteredAt ?? undefined,
    errorUrl: direct?.errorFileUrl ?? ended?.fileUrl,
  }
}
type Run = Omit<ReturnType<typeof useImportRun>, 'start'>

/** The person's own sheet with what is wrong in it, else what was wrong as a table. */
export const saveErrors = ({ errorUrl, errors }: Pick<Run, 'errorUrl' | 'errors'>, name: string) => {
  if (errorUrl) location.assign(errorUrl)
  else saveBlob(csvOf(['行', '列', '原因'], errors), name)
}

interface RunningProps {
  run: Pick<Run, 'job'>
  words: string
  /** What can be done while a job runs. */
  meanwhile: string
}

export const Running = ({ run: { job }, words, meanwhile }: RunningProps) => (
  <div className="import-running" role="status">
    {job ? <JobProgress job={job} /> : <p>{words}</p>}
    {job && <p>{meanwhile}</p>}
  </div>
)

/** So many that a virtual table, whose rows nobody can read by ear, is worth it. */
export const MANY_ROWS = 200

/** Where what is missing is made, for those who have that page; the sheet waits here meanwhile. */
const Mend = ({ place, what }: { place: SharedPath; what: string }) => {
  const menus = useIdentity((state) => state.menus) ?? []
  const at = usePlaces()(place)
  const href = useHref(at)
  if (!pageOf(menus, at.replace(/\?.*$/, ''))) return null
  return (
    <a href={href} target="_blank" rel="noreferrer">
      去新增{what}
    </a>
  )
}

interface NotesProps {
  rows: readonly string[][]
  height: number
  /** Says where what is missing is made. */
  mends?: boolean
}

const Notes = ({ rows, height, mends = false }: NotesProps) => (
  <Table
    className="import-errors"
    size="small"
    rowKey="key"
    data={rows.map(([row, column, reason], key) => ({ key, row, column, reason }))}
    virtualized={rows.length > MANY_ROWS}
    pagination={false}
    scroll={{ y: height }}
    columns={[
      { title: '行', dataIndex: 'row', width: 80 },
      { title: '列', dataIndex: 'column', width: 140 },
      {
        title: '原因',
        dataIndex: 'reason',
        render: (_, { column, reason }) => {
          const mended = mends && mendedAt(column ?? '', reason ?? '')
          return (
            <>
              {reason} {mended && <Mend {...mended} />}
            </>
          )
        },
      },
    ]}
  />
)

/** The same mistake of many rows, told once; the most frequent first. */
export const grouped = (rows: readonly string[][]) => {
  const groups = new Map<string, { column: string; reason: string; rows: string[] }>()
  for (const [row = '', column = '', reason = ''] of rows) {
    // What stands in the cell differs, what is wrong with it does not.
    const key = `${column}\n${reason.replace(/[“"].*?[”"]/g, '')}`
    const group = groups.get(key) ?? { column, reason, rows: [] }
    group.rows.push(row)
    groups.set(key, group)
  }
  return [...groups.values()].sort((one, other) => other.rows.length - one.rows.length)
}

/** So many rows of a group are named. */
const ROWS_NAMED = 5

const Groups = ({ rows }: { rows: readonly string[][] }) => (
  <Table
    className="import-errors"
    size="small"
    rowKey="key"
    data={grouped(rows).map((group, key) => ({ key, ...group }))}
    pagination={false}
    columns={[
      { title: '列', dataIndex: 'column', width: 130 },
      { title: '原因', dataIndex: 'reason' },
      {
        title: '处数',
        dataIndex: 'rows',
        width: 70,
        align: 'right',
        render: (at: string[]) => formatNumber(at.length),
      },
      {
        title: '所在行',
        dataIndex: 'key',
        width: 150,
        render: (_, { rows: at }) => at.slice(0, ROWS_NAMED).join('、') + (at.length > ROWS_NAMED ? ' 等' : ''),
      },
      {
        title: '办法',
        key: 'mend',
        width: 110,
        render: (_, { column, reason }) => {
          const mended = mendedAt(column, reason)
          return mended && <Mend {...mended} />
        },
      },
    ]}
  />
)

interface ErrorsProps {
  run: Pick<Run, 'errors' | 'message' | 'total'>
  height: number
}

const wrongRows = (errors: readonly string[][]) => new Set(errors.map(([row]) => row)).size

/** What is wrong: by kind where kinds repeat, and a line each. */
export const Errors = ({ run: { errors, message, total }, height }: ErrorsProps) => {
  const isGrouped = grouped(errors).length < errors.length
  return (
    <>
      <Alert
        type="error"
        title={
          message ||
          `共${formatNumber(total)}行，其中${formatNumber(wrongRows(errors))}行有${formatNumber(errors.length)}处需要改正，没有写入任何数据`
        }
        content="请按下表改正后重新上传；也可下载错误表，在标红处直接修改后上传。"
      />
      {isGrouped && <Groups rows={errors} />}
      <Notes rows={errors} height={height} mends={!isGrouped} />
    </>
  )
}

interface WarningsProps {
  run: Pick<Run, 'warnings' | 'errorUrl'>
  height: number
}

/** What is worth a second look, a line each; nothing where there is nothing. */
export const Warnings = ({ run: { warnings, errorUrl }, height }: WarningsProps) =>
  warnings.length > 0 && (
    <>
      <Alert
        type="warning"
        title={`${formatNumber(warnings.length)}处请核对，不影响导入`}
        content={errorUrl && <a href={errorUrl}>下载标有提醒的表格</a>}
      />
      <Notes rows={warnings} height={height} />
    </>
  )
