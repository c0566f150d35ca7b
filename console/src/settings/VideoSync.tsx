import { Alert, Button, Modal, Space, Table } from '@arco-design/web-react'
import type { viewJob } from '@/api/infra'
import type { RowOf } from '@/api/operation'
import { errorRows } from '@/kit/csv'
import { Running } from '@/kit/importRun'
import { ToJobCentre } from '@/kit/jobCentre'
import { useJob } from '@/kit/useJob'
import { listMedia } from './api'
import { unknownVideos } from './unknownVideos'

type Job = RowOf<typeof viewJob>

const TITLE = '同步视频云'
const PAGE = 10

const channels = Object.fromEntries(listMedia.columns.channel?.options ?? [])

/** How it ended, what failed, and which videos at the providers nobody here knows. */
const Ended = ({ job }: { job: Job }) => {
  const failed = errorRows(job.errors).map(([, name, reason], key) => ({ key, name, reason }))
  const unknown = unknownVideos(job.warnings)
  const isWell = failed.length === 0 && unknown.length === 0
  return (
    <>
      <Alert
        className="form-lead"
        type={job.state !== 'done' ? 'error' : isWell ? 'success' : 'warning'}
        content={job.message || '同步没有完成，请重新同步'}
      />
      {failed.length > 0 && (
        <Table
          size="small"
          rowKey="key"
          data={failed}
          pagination={{ pageSize: PAGE, hideOnSinglePage: true }}
          columns={[
            { title: '未通过', dataIndex: 'name', width: 200 },
            { title: '原因', dataIndex: 'reason' },
          ]}
        />
      )}
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

/** 同步视频云: its job, followed as long as one likes. */
export const VideoSync = ({ id, onClose }: { id: number; onClose: () => void }) => {
  const job = useJob(id).data
  const ended = job && job.state !== 'queued' && job.state !== 'running' ? job : undefined
  return (
    <Modal
      title={TITLE}
      style={{ width: 720 }}
      visible
      onCancel={onClose}
      footer={
        <Space>
          <Button onClick={onClose}>关闭</Button>
          <ToJobCentre onLeave={onClose} />
        </Space>
      }
    >
      {ended ? (
        <Ended job={ended} />
      ) : (
        <Running run={{ job }} words="正在同步" meanwhile="可以关闭窗口去做别的事，结果在任务中心查看。" />
      )}
    </Modal>
  )
}
