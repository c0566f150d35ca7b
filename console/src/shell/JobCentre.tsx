import { Alert, Button, Drawer, Empty, Input, Pagination, Select, Space, Spin, Tag } from '@arco-design/web-react'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { call } from '@/api/client'
import { messageOf, tellError, tellSuccess } from '@/api/errors'
import { saveBlob } from '@/api/files'
import { useAllowed, useIdentity } from '@/api/identity'
import { cancelJob, listJobs, viewJob } from '@/api/infra'
import type { BodyOf, RowOf } from '@/api/operation'
import { refetchAll } from '@/api/query'
import { csvOf, errorRows } from '@/kit/csv'
import { DialogName } from '@/kit/DialogName'
import { formatNumber, formatTime } from '@/kit/format'
import { JobProgress } from '@/kit/JobProgress'
import { labelOf } from '@/kit/labels'
import { OptionSelect } from '@/kit/OptionSelect'
import { TabList } from '@/kit/TabList'
import { useSettled } from '@/kit/useSettled'
import { listAvailableSchools } from '@/schools/api'
import { schoolOptions } from '@/schools/SchoolsSelect'

type Job = RowOf<typeof listJobs>

/** How many are shown at a time. */
const PAGE = 20
/** How often the list is asked for while something runs, and while nothing does. */
const BUSY_MS = 2_000
const IDLE_MS = 60_000

const isRunning = ({ state }: Pick<Job, 'state'>) => state === 'queued' || state === 'running'

type Asked = Pick<BodyOf<typeof listJobs>, 'all' | 'keyword' | 'schoolId' | 'state'>

const useJobs = (asked: Asked = {}, page = 1) =>
  useQuery({
    queryKey: [listJobs.path, asked, page],
    queryFn: () => call(listJobs, { body: { ...asked, pageCurrent: page, pageSize: PAGE } }),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
    refetchInterval: ({ state }) => (state.data?.list.some(isRunning) ? BUSY_MS : state.error ? false : IDLE_MS),
  })

/** How many of one's own run. */
export const useRunningJobs = () => useJobs().data?.list.filter(isRunning).length ?? 0

const colours: Record<Job['state'], string> = {
  queued: 'gray',
  running: 'arcoblue',
  done: 'green',
  failed: 'red',
  cancelled: 'gray',
}

/** What an import found wrong, a line a row. */
const hasRowErrors = ({ errors }: Job) => errorRows(errors).some(([row]) => row)

const saveErrors = async (id: number) => {
  const { errors, title } = await call(viewJob, { query: { id } })
  saveBlob(csvOf(['行', '列或名称', '原因'], errorRows(errors)), `${title}-错误表.csv`)
}

/** A file's address is signed for a short time, so the list has none and it is asked for when wanted. */
const saveFile = async (id: number, expired: string) => {
  const { fileUrl } = await call(viewJob, { query: { id } })
  if (fileUrl) location.assign(fileUrl)
  else tellError(expired)
}

/** What is worth a second look in what was done. */
const saveWarnings = async (id: number) => {
  const { warnings, title } = await call(viewJob, { query: { id } })
  saveBlob(csvOf(['行', '列或名称', '提醒'], errorRows(warnings)), `${title}-提醒.csv`)
}

/** What came out: a file, of an import its own sheet with what is wrong in it; the failures of all else; what was done with a word. */
const Outcome = ({ job }: { job: Job }) => {
  const wrong = hasRowErrors(job)
  const file = useMutation({
    mutationFn: () => saveFile(job.id, wrong ? '错误表已过期，请重新导入' : '结果文件已过期，请重新导出'),
  })
  const errors = useMutation({ mutationFn: () => saveErrors(job.id) })
  const warnings = useMutation({ mutationFn: () => saveWarnings(job.id) })
  const isOver = !isRunning(job)
  const failed = errorRows(job.errors).length
  const doubtful = errorRows(job.warnings).length
  return (
    <>
      {job.hasFile && (
        <Button
          size="small"
          type={wrong ? 'default' : 'primary'}
          loading={file.isPending}
          onClick={() => file.mutate()}
        >
          {wrong ? '下载错误表' : '下载结果'}
        </Button>
      )}
      {isOver && failed > 0 && !(job.hasFile && wrong) && (
        <Button size="small" loading={errors.isPending} onClick={() => errors.mutate()}>
          {job.hasFile ? `下载未办理的${formatNumber(failed)}条` : '下载错误表'}
        </Button>
      )}
      {isOver && doubtful > 0 && (
        <Button size="small" loading={warnings.isPending} onClick={() => warnings.mutate()}>
          下载{formatNumber(doubtful)}条提醒
        </Button>
      )}
    </>
  )
}

const JobCard = ({ job }: { job: Job }) => {
  const cancel = useMutation({
    mutationFn: () => call(cancelJob, { query: { id: job.id } }),
    onSuccess: () => {
      tellSuccess('已请求取消')
      refetchAll()
    },
  })
  return (
    <article className="job">
      <header>
        <strong>{job.title}</strong>
        <Tag className="word" color={colours[job.state]}>
          {labelOf(listJobs, 'state', job.state)}
        </Tag>
      </header>
      <p>
        {[job.schoolName, job.actorName, formatTime(job.startedAt ?? job.createdAt)].filter(Boolean).join(' · ')}
        {job.message && <span className="job-message">{job.message}</span>}
      </p>
      {isRunning(job) && (
        <div className="job-progress">
          <JobProgress job={job} />
        </div>
      )}
      <Space>
        <Outcome job={job} />
        {job.cancellable && (
          <Button size="small" disabled={cancel.isSuccess} loading={cancel.isPending} onClick={() => cancel.mutate()}>
            取消
          </Button>
        )}
      </Space>
    </article>
  )
}

const JobList = ({ asked, isSearch }: { asked: Asked; isSearch: boolean }) => {
  const [page, setPage] = useState(1)
  const jobs = useJobs(asked, page)
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
  const { list, totalCount } = jobs.data
  if (list.length === 0) {
    return (
      <Empty
        description={isSearch ? '没有符合条件的任务。' : '还没有任务。导入、大批量导出等较久的工作会显示在这里。'}
      />
    )
  }
  return (
    <>
      {list.map((job) => (
        <JobCard key={job.id} job={job} />
      ))}
      {totalCount > PAGE && (
        <Pagination
          className="pager"
          size="small"
          simple
          current={page}
          pageSize={PAGE}
          total={totalCount}
          onChange={setPage}
        />
      )}
    </>
  )
}

/** The list is open to everybody, who find their own in it; whether it also holds the others' is asked within. */
const listAllJobs = { ...listJobs, permission: 'system:pc:job:list' }

const whose = [
  ['mine', '仅看我的'],
  ['all', '全部'],
] as const

const Jobs = () => {
  const mayAll = useAllowed()(listAllJobs)
  const fromPlatform = useIdentity((state) => state.account?.area) === 'platform'
  const [shown, show] = useState<(typeof whose)[number][0]>('mine')
  const [state, setState] = useState<Job['state']>()
  const [schoolId, setSchool] = useState<number>()
  const [text, setText] = useState('')
  const keyword = useSettled(text).trim()
  const asked: Asked = {
    all: mayAll && shown === 'all',
    state,
    schoolId,
    keyword: keyword || undefined,
  }
  return (
    <>
      {mayAll && <TabList label="任务范围" tabs={whose} value={shown} onChange={show} />}
      <div className="job-filters">
        <Input aria-label="任务名称" placeholder="任务名称" allowClear value={text} onChange={setText} />
        <Select
          aria-label="任务状态"
          placeholder="全部状态"
          allowClear
          value={state}
          onChange={setState}
          options={(listJobs.fields.state?.options ?? []).map(([value, label]) => ({ value, label }))}
        />
        {fromPlatform && (
          <OptionSelect
            label="院校"
            placeholder="全部院校"
            options={listAvailableSchools}
            query={schoolOptions}
            value={schoolId}
            onChange={setSchool}
          />
        )}
      </div>
      <JobList
        key={JSON.stringify(asked)}
        asked={asked}
        isSearch={state !== undefined || schoolId !== undefined || keyword !== ''}
      />
    </>
  )
}

const ImportRuns = lazy(async () => ({ default: (await import('@/kit/ImportRuns')).ImportRuns }))

const parts = [
  ['jobs', '任务'],
  ['imports', '导入记录'],
] as const

/** How wide the drawer is: the imports are a table. */
const widths = { jobs: 460, imports: 920 } as const

/**
 * 任务中心: long work that goes on while its starter does something else, and what was imported. It is asked for anew
 * whenever it is opened.
 */
export const JobCentre = ({ open, onClose }: { open: boolean; onClose: () => void }) => {
  const [part, show] = useState<keyof typeof widths>('jobs')
  return (
    <Drawer
      title="任务中心"
      width={widths[part]}
      visible={open}
      onCancel={onClose}
      afterClose={() => show('jobs')}
      footer={null}
      maskClosable
      unmountOnExit
    >
      <DialogName name="任务中心" />
      <TabList label="任务中心" tabs={parts} value={part} onChange={show} />
      {part === 'jobs' ? (
        <Jobs />
      ) : (
        <Suspense fallback={<Spin block />}>
          <ImportRuns />
        </Suspense>
      )}
    </Drawer>
  )
}
