import type { listJobs } from '@/api/infra'
import type { RowOf } from '@/api/operation'
import { formatNumber, formatSpan } from './format'
import { ProgressBar } from './ProgressBar'

type Job = Pick<RowOf<typeof listJobs>, 'title' | 'step' | 'done' | 'total' | 'startedAt'>

const SECOND_MS = 1000

/** What is done of a job, 0 to 100; none while nobody knows how much there is. */
export const percentOf = ({ done, total }: Pick<Job, 'done' | 'total'>) =>
  total > 0 ? Math.min(100, Math.floor((done / total) * 100)) : undefined

/** Since a job began, in words; empty while it waits. Asked again with each answer about the job. */
const elapsed = (startedAt: string | null | undefined) => {
  if (!startedAt) return ''
  const seconds = Math.max(0, Math.floor((Date.now() - new Date(startedAt).getTime()) / SECOND_MS))
  return `已用时${formatSpan(seconds)}`
}

/** How far long work is: 百分比 where its size is known, else a bar that only says that it goes on. */
export const JobProgress = ({ job }: { job: Job }) => {
  const percent = percentOf(job)
  const size = percent === undefined ? '' : `${formatNumber(job.done)}/${formatNumber(job.total)}`
  return (
    <>
      {percent === undefined ? (
        <progress className="indeterminate" aria-label={`${job.title}进度`} />
      ) : (
        <ProgressBar label={`${job.title}进度`} percent={percent} />
      )}
      <p className="job-figures">{[job.step, size, elapsed(job.startedAt)].filter(Boolean).join(' · ')}</p>
    </>
  )
}
