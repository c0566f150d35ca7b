import { Button, Modal, Space, Table } from '@arco-design/web-react'
import { type ReactNode, useEffect } from 'react'
import type { viewJob } from '@/api/infra'
import type { RowOf } from '@/api/operation'
import { errorRows } from './csv'
import { Running } from './importRun'
import { ToJobCentre } from './jobCentre'
import { useJob } from './useJob'

type Job = RowOf<typeof viewJob>

const PAGE = 10

/** What a job left as it was, and why; nothing where it left nothing. */
export const JobFailures = ({ job, what }: { job: Job; what: string }) => {
  const rows = errorRows(job.errors).map(([, name, reason], key) => ({ key, name, reason }))
  if (rows.length === 0) return null
  return (
    <Table
      size="small"
      rowKey="key"
      data={rows}
      pagination={{ pageSize: PAGE, hideOnSinglePage: true }}
      columns={[
        { title: what, dataIndex: 'name', width: 180 },
        { title: '原因', dataIndex: 'reason' },
      ]}
    />
  )
}

interface JobDialogProps {
  id: number
  title: string
  /** What is said until the job tells how far it is, and what one may do meanwhile. */
  words: string
  meanwhile: string
  onClose: () => void
  /** Once, when the job is over. */
  onOver?: () => void
  /** How it ended. */
  children: (job: Job) => ReactNode
  /** What can be done with it then. */
  more?: (job: Job) => ReactNode
}

/** A job in a window: followed as long as one likes, then how it ended. */
export const JobDialog = (props: JobDialogProps) => {
  const { id, title, words, meanwhile, onClose, onOver, children, more } = props
  const job = useJob(id).data
  const ended = job && job.state !== 'queued' && job.state !== 'running' ? job : undefined
  const isOver = ended !== undefined
  useEffect(() => {
    if (isOver) onOver?.()
  }, [isOver, onOver])
  return (
    <Modal
      title={title}
      style={{ width: 720 }}
      visible
      onCancel={onClose}
      footer={
        <Space>
          <Button onClick={onClose}>关闭</Button>
          <ToJobCentre onLeave={onClose} />
          {ended && more?.(ended)}
        </Space>
      }
    >
      {ended ? children(ended) : <Running run={{ job }} words={words} meanwhile={meanwhile} />}
    </Modal>
  )
}
