import { Button } from '@arco-design/web-react'
import { IconDownload } from '@arco-design/web-react/icon'
import { useMutation } from '@tanstack/react-query'
import { tellSuccess } from '@/api/errors'
import { download } from '@/api/files'
import type { Operation } from '@/api/operation'
import { refetchAll } from '@/api/query'
import { useNamed, useRequest } from '@/api/schoolContext'
import { Can } from './Can'
import { formatNumber } from './format'

/** More rows than these are exported as a job. */
const JOB_ABOVE = 20_000

interface ExportButtonProps {
  do: Operation<{ job?: boolean | null } | undefined, unknown, Blob>
  table: { body: object; total: number }
}

/** Exports what the list shows, with its filters: at once as a file, or as a job when it is long. */
export const ExportButton = ({ do: operation, table }: ExportButtonProps) => {
  const request = useRequest()
  const named = useNamed()
  // What the export does not take, the order of the columns, stays behind.
  const body = Object.fromEntries(Object.entries(table.body ?? {}).filter(([name]) => name in operation.fields))
  const exporting = useMutation({
    mutationFn: async () => {
      if (table.total <= JOB_ABOVE) {
        await download(operation, named(operation, { body }), `${operation.title}.xlsx`)
        tellSuccess(`已导出${formatNumber(table.total)}条`)
        return
      }
      const started: Operation<unknown, unknown, unknown> = operation
      await request(started, { query: { job: true }, body })
      tellSuccess(`共${formatNumber(table.total)}条，正在导出，完成后请在任务中心下载`)
      refetchAll()
    },
  })
  return (
    <Can do={operation}>
      <Button
        icon={<IconDownload />}
        loading={exporting.isPending}
        disabled={table.total === 0}
        title={table.total === 0 ? '没有可导出的记录' : undefined}
        onClick={() => exporting.mutate()}
      >
        导出
      </Button>
    </Can>
  )
}
