import { Alert, Button, Drawer, Empty, Space, Spin, Tag } from '@arco-design/web-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '@/api/client'
import { messageOf, tellError, tellSuccess } from '@/api/errors'
import { saveBlob } from '@/api/files'
import { cancelJob, listJobs, viewJob } from '@/api/infra'
import { refetchAll } from '@/api/query'
import type { components } from '@/api/schema'
import { csvOf, errorRows } from '@/kit/csv'
import { DialogName } from '@/kit/DialogName'
import { formatTime } from '@/kit/format'
import { JobProgress } from '@/kit/JobProgress'
import { labelOf } from '@/kit/labels'

type Job = components['schemas']['Job']

const MOST = 20
/** How often the list is asked for while something runs, and while nothing does. */
const BUSY_MS = 2_000
const IDLE_MS = 60_000

const isRunning = ({ state }: Pick<Job, 'state'>) => state === 'queued' || state === 'running'

const useJobs = () =>
  useQuery({
    queryKey: [listJobs.path],
    queryFn: () => call(listJobs, { body: { pageCurrent: 1, pageSize: MOST } }),
    refetchOnMount: 'always',
    refetchInterval: ({ state }) => (state.data?.list.some(isRunning) ? BUSY_MS : state.error ? false : IDLE_MS),
  })

export const useRunningJobs = () => useJobs().data?.list.filter(isRunning).length ?? 0

const colours: Record<Job['state'], string> = {
  queued: 'gray',
  running: 'arcoblue',
  done: 'green',
  failed: 'red',
  cancelled: 'gray',
}

const saveErrors = async (id: number) => {
  const { errors, title } = await call(viewJob, { query: { id } })
  saveBlob(csvOf(['行', '列或名称', '原因'], errorRows(errors)), `${title}-错误表.csv`)
}

/** Exports end in a file. Its address is signed for a short time, so the list has none and it is asked for when wanted. */
const givesFile = ({ state, kind }: Job) => state === 'done' && kind.endsWith('export')

const saveResult = async (id: number) => {
  const { fileUrl } = await call(viewJob, { query: { id } })
  if (fileUrl) location.assign(fileUrl)
  else tellError('结果文件已过期，请重新导出')
}

const JobCard = ({ job }: { job: Job }) => {
  const [asked, setAsked] = useState(false)
  const cancel = useMutation({
    mutationFn: () => call(cancelJob, { query: { id: job.id } }),
    onSuccess: () => {
      tellSuccess('已请求取消')
      refetchAll()
    },
  })
  const errors = useMutation({ mutationFn: () => saveErrors(job.id) })
  const result = useMutation({ mutationFn: () => saveResult(job.id) })
  return (
    <article className="job">
      <header>
        <strong>{job.title}</strong>
        <Tag color={colours[job.state]}>{labelOf(listJobs, 'state', job.state)}</Tag>
      </header>
      <p>
        {[job.actorName, formatTime(job.startedAt ?? job.createdAt)].filter(Boolean).join(' · ')}
        {job.message && <span className="job-message">{job.message}</span>}
      </p>
      {isRunning(job) && (
        <div className="job-progress">
          <JobProgress job={job} />
        </div>
      )}
      <Space>
        {givesFile(job) && (
          <Button size="small" type="primary" loading={result.isPending} onClick={() => result.mutate()}>
            下载结果
          </Button>
        )}
        {job.state === 'failed' && (
          <Button size="small" loading={errors.isPending} onClick={() => errors.mutate()}>
            下载错误表
          </Button>
        )}
        {isRunning(job) && (
          <Button
            size="small"
            disabled={asked}
            loading={cancel.isPending}
            onClick={() => {
              setAsked(true)
              cancel.mutate()
            }}
          >
            取消
          </Button>
        )}
      </Space>
    </article>
  )
}

const JobList = () => {
  const jobs = useJobs()
  if (jobs.isPending) return <Spin block />
  if (jobs.isError) {
    return (
      <Alert
        type="error"
        content={messageOf(jobs.error)}
        action={
          <Button size="mini" onClick={() => jobs.refetch()}>
            重试
          </Button>
        }
      />
    )
  }
  if (jobs.data.list.length === 0) {
    return <Empty description="还没有任务。导入、大批量导出等较久的工作会显示在这里。" />
  }
  return jobs.data.list.map((job) => <JobCard key={job.id} job={job} />)
}

/** 任务中心: long work that goes on while its starter does something else. It is asked for anew whenever it is opened. */
export const JobCentre = ({ open, onClose }: { open: boolean; onClose: () => void }) => (
  <Drawer title="任务中心" width={460} visible={open} onCancel={onClose} footer={null} maskClosable unmountOnExit>
    <DialogName name="任务中心" />
    <JobList />
  </Drawer>
)
