import { Alert, Button, Descriptions, Skeleton } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { call } from '@/api/client'
import type { RowOf } from '@/api/operation'
import type { ChangedRecord } from '@/api/types/logs'
import { show } from '@/kit/columns'
import { formatNumber } from '@/kit/format'
import { Failed } from '@/kit/Loaded'
import { fieldOf } from '@/kit/labels'
import { viewOperationLog } from './api'
import { changedText } from './changedText'
import { codeWords } from './resultCodes'
import './logs.css'

type LogDetail = RowOf<typeof viewOperationLog>

const head: readonly (keyof LogDetail & string)[] = [
  'at',
  'actorName',
  'actorType',
  'onBehalfOf',
  'schoolName',
  'module',
  'operation',
  'target',
  'resultCode',
  'durationMs',
  'method',
  'path',
  'permissionCode',
  'sensitive',
  'ip',
  'traceId',
]

const isEmpty = (value: unknown) =>
  value === null || value === undefined || (typeof value === 'object' && Object.keys(value).length === 0)

/** What was sent or noted, as it stands in the log. */
const Written = ({ title, value }: { title: string; value: unknown }) =>
  isEmpty(value) ? null : (
    <section className="log-part" aria-label={title}>
      <h3>{title}</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what overflows must be reachable by keyboard */}
      <pre tabIndex={0}>{JSON.stringify(value, undefined, 2)}</pre>
    </section>
  )

const Record = ({ record }: { record: ChangedRecord }) => (
  <table className="log-changes">
    <caption>
      {record.action}
      {record.entityName} {record.name ?? ''}（{record.entityId}）
    </caption>
    <thead>
      <tr>
        <th scope="col">字段</th>
        <th scope="col">变更前</th>
        <th scope="col">变更后</th>
      </tr>
    </thead>
    <tbody>
      {record.fields.map((field) => (
        <tr key={field.field}>
          <th scope="row" title={field.field}>
            {field.label}
          </th>
          <td>{changedText(field.before)}</td>
          <td>{changedText(field.after)}</td>
        </tr>
      ))}
    </tbody>
  </table>
)

const Changes = ({ log }: { log: LogDetail }) => (
  <section className="log-part" aria-label="变更">
    <h3>变更</h3>
    {log.notice && <Alert type="warning" content={log.notice} />}
    {log.changedCount === 0 && !log.notice && <p>这次操作没有修改数据。</p>}
    {log.changedCount > log.changes.length && (
      <p>
        共修改{formatNumber(log.changedCount)}条记录，以下是前{formatNumber(log.changes.length)}条。
      </p>
    )}
    {log.changes.map((record, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: one record may be changed twice in a call, and the list never moves
      <Record key={at} record={record} />
    ))}
  </section>
)

interface OperationLogFileProps {
  id: number
  showSession: (sessionId: string) => void
}

/** 操作详情: who did what, with which parameters, and every field that it changed. */
export const OperationLogFile = ({ id, showSession }: OperationLogFileProps) => {
  const view = useQuery({
    queryKey: [viewOperationLog.path, id],
    queryFn: () => call(viewOperationLog, { query: { id } }),
  })
  if (view.isPending) return <Skeleton text={{ rows: 10 }} animation />
  if (view.isError) {
    return <Failed error={view.error} retry={() => view.refetch()} />
  }
  const log = view.data
  const { sessionId } = log
  return (
    <>
      <Descriptions
        column={2}
        labelStyle={{ width: 112 }}
        data={head.map((name) => ({
          key: name,
          label: fieldOf(viewOperationLog, name).label,
          value: name === 'resultCode' ? codeWords(log.resultCode) : show(viewOperationLog, name, log[name], undefined),
        }))}
      />
      {sessionId && (
        <Button type="text" size="small" onClick={() => showSession(sessionId)}>
          查看本次登录的全部操作
        </Button>
      )}
      <Changes log={log} />
      <Written title="参数" value={log.params} />
      <Written title="附注" value={log.notes} />
    </>
  )
}
