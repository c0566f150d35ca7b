import { Alert, Table } from '@arco-design/web-react'
import type { viewJob } from '@/api/infra'
import type { RowOf } from '@/api/operation'
import { errorRows } from '@/kit/csv'
import { JobDialog, JobFailures } from '@/kit/JobDialog'
import { listMedia } from './api'
import { unknownVideos } from './unknownVideos'

type Job = RowOf<typeof viewJob>

const PAGE = 10

const channels = Object.fromEntries(listMedia.columns.channel?.options ?? [])

/** How it ended, what failed, and which videos at the providers nobody here knows. */
const Ended = ({ job }: { job: Job }) => {
  const unknown = unknownVideos(job.warnings)
  const isWell = errorRows(job.errors).length === 0 && unknown.length === 0
  return (
    <>
      <Alert
        className="form-lead"
        type={job.state !== 'done' ? 'error' : isWell ? 'success' : 'warning'}
        content={job.message || '同步没有完成，请重新同步'}
      />
      <JobFailures job={job} what="未通过" />
      {unknown.length > 0 && (
        <Table
          size="small"
          rowKey="key"
          data={unknown}
          pagination={{ pageSize: PAGE, hideOnSinglePage: true }}
          columns={[
            { title: '未登记的视频', dataIndex: 'name' },
            { title: '通道', dataIndex: 'channel', width: 110, render: (code: string) => channels[code] ?? code },
            { title: '通道编号', dataIndex: 'vid', width: 240 },
          ]}
        />
      )}
    </>
  )
}

/** 同步视频云: its job. */
export const VideoSync = ({ id, onClose }: { id: number; onClose: () => void }) => (
  <JobDialog
    id={id}
    title="同步视频云"
    words="正在同步"
    meanwhile="可以关闭窗口去做别的事，结果在任务中心查看。"
    onClose={onClose}
  >
    {(job) => <Ended job={job} />}
  </JobDialog>
)
