import { Button } from '@arco-design/web-react'
import { IconDownload } from '@arco-design/web-react/icon'
import { useMutation } from '@tanstack/react-query'
import { tellSuccess } from '@/api/errors'
import { download } from '@/api/files'
import type { Operation } from '@/api/operation'
import { refetchAll } from '@/api/query'
import { useNamed, useRequest } from '@/api/schoolContext'
import { Can } from '@/kit/Can'
import { formatNumber } from '@/kit/format'
import { exportQuestions } from './api'

/** More questions than these the server writes as a job: each is read with its pictures and parts. */
const JOB_ABOVE = 2_000

interface TextExportProps {
  table: { body: object; total: number }
  bankId: number | undefined
}

/** 导出文本 of one bank, in the form that the import of texts reads. */
export const TextExport = ({ table: { body, total }, bankId }: TextExportProps) => {
  const request = useRequest()
  const named = useNamed()
  const exporting = useMutation({
    mutationFn: async () => {
      const known = Object.entries(body).filter(([name]) => name in exportQuestions.fields)
      const wish = { ...Object.fromEntries(known), format: 'text' }
      if (total <= JOB_ABOVE) {
        await download(exportQuestions, named(exportQuestions, { body: wish }), '试题.txt')
        tellSuccess(`已导出${formatNumber(total)}道试题`)
        return
      }
      const started: Operation<unknown, unknown, unknown> = exportQuestions
      await request(started, { query: { job: true }, body: wish })
      tellSuccess(`共${formatNumber(total)}道，正在导出，完成后请在任务中心下载`)
      refetchAll()
    },
  })
  const refused = bankId === undefined ? '请先选择题库' : total === 0 ? '没有可导出的试题' : undefined
  return (
    <Can do={exportQuestions}>
      <Button
        icon={<IconDownload />}
        disabled={refused !== undefined}
        title={refused}
        loading={exporting.isPending}
        onClick={() => exporting.mutate()}
      >
        导出文本
      </Button>
    </Can>
  )
}
