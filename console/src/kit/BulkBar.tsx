import { Button, Modal, Table } from '@arco-design/web-react'
import { useMutation } from '@tanstack/react-query'
import { request } from '@/api/client'
import { tellSuccess } from '@/api/errors'
import { saveBlob } from '@/api/files'
import { refetchAll } from '@/api/query'
import { useAllowed } from '@/shell/identity'
import type { BulkAction, BulkResult } from './actions'
import { confirm } from './confirm'
import { csvOf } from './csv'
import { formatNumber } from './format'
import type { useQueryTable } from './useQueryTable'

type Selection = Pick<
  ReturnType<typeof useQueryTable>,
  'selected' | 'everything' | 'total' | 'body' | 'selectEverything' | 'clearSelection'
>

const tellFailures = (label: string, { done, failed }: BulkResult) => {
  const save = () =>
    saveBlob(
      csvOf(
        ['编号', '名称', '原因'],
        failed.map((row) => [row.id, row.name, row.msg]),
      ),
      `${label}失败明细.csv`,
    )
  Modal.info({
    title: `${label}：成功${formatNumber(done)}条，失败${formatNumber(failed.length)}条`,
    style: { width: 640 },
    okText: '知道了',
    content: (
      <>
        <Table
          size="small"
          rowKey="id"
          data={failed}
          pagination={{ pageSize: 10, hideOnSinglePage: true }}
          columns={[
            { title: '名称', dataIndex: 'name', width: 200 },
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

const BulkButton = ({ action, table }: { action: BulkAction; table: Selection }) => {
  const count = table.everything ? table.total : table.selected.length
  const run = useMutation({
    mutationFn: () =>
      request(action.do, table.everything && action.all ? action.all(table.body) : action.input(table.selected)),
    onSuccess: (result) => {
      refetchAll()
      table.clearSelection()
      if (result.failed.length > 0) tellFailures(action.label, result)
      else tellSuccess(`${action.label}：已完成${formatNumber(result.done)}条`)
    },
  })
  const start = async () => {
    if (await confirm({ ...action.confirm(count), okText: action.label, danger: action.danger })) run.mutate()
  }
  return (
    <Button
      size="small"
      status={action.danger ? 'danger' : undefined}
      disabled={table.everything && !action.all}
      loading={run.isPending}
      onClick={start}
    >
      {action.label}
    </Button>
  )
}

/** Appears over the table when rows are ticked. */
export const BulkBar = ({ actions, table }: { actions: readonly BulkAction[]; table: Selection }) => {
  const allowed = useAllowed()
  const { selected, everything, total } = table
  if (selected.length === 0) return null
  return (
    <div className="bulk-bar" role="status">
      <span>已选 {formatNumber(everything ? total : selected.length)} 条</span>
      {!everything && total > selected.length && actions.some((action) => action.all) && (
        <Button type="text" size="small" onClick={table.selectEverything}>
          选择全部 {formatNumber(total)} 条
        </Button>
      )}
      {actions
        .filter((action) => allowed(action.do))
        .map((action) => (
          <BulkButton key={action.label} action={action} table={table} />
        ))}
      <Button type="text" size="small" onClick={table.clearSelection}>
        取消选择
      </Button>
    </div>
  )
}
