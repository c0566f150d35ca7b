import { Alert, Button } from '@arco-design/web-react'
import { IconDownload } from '@arco-design/web-react/icon'
import { useState } from 'react'
import { listOptions, type viewJob } from '@/api/infra'
import type { BodyOf, DataOf, RowOf } from '@/api/operation'
import { refetchAll } from '@/api/query'
import { BasicSelect, basicOptions } from '@/basic_data/BasicSelect'
import { Can } from '@/kit/Can'
import { errorRows } from '@/kit/csv'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import { JobDialog, JobFailures } from '@/kit/JobDialog'
import { SeveralOptions } from '@/kit/SeveralOptions'
import { useDrawer } from '@/kit/useDrawer'
import { exportToChsi } from './api'

type Wish = BodyOf<typeof exportToChsi>
type Job = RowOf<typeof viewJob>

const TITLE = '学信网导出'

const Field = fieldsOf(exportToChsi)

/** How it ended: the file with all that is in it, and whoever is not. */
const Ended = ({ job }: { job: Job }) => (
  <>
    <Alert
      className="form-lead"
      type={job.state !== 'done' ? 'error' : errorRows(job.errors).length > 0 ? 'warning' : 'success'}
      content={job.message || '导出没有完成，请重新导出'}
    />
    <JobFailures job={job} what="未导出的学生" />
  </>
)

/** The job that makes the file. */
const Following = ({ id, onClose }: { id: number; onClose: () => void }) => (
  <JobDialog
    id={id}
    title={TITLE}
    words="正在导出"
    meanwhile="可以关闭窗口去做别的事，完成后在任务中心下载。"
    onClose={onClose}
    // Who is in the file is 已导出 from now on.
    onOver={refetchAll}
    more={({ fileUrl }) =>
      fileUrl && (
        <Button type="primary" icon={<IconDownload />} href={fileUrl}>
          下载文件
        </Button>
      )
    }
  >
    {(job) => <Ended job={job} />}
  </JobDialog>
)

const number = (value: string | undefined) => (value ? Number(value) : undefined)

/** 学信网导出: the file of a grade's new students, which a job makes; the list's filters are proposed. */
export const ChsiExport = ({ filters }: { filters: Readonly<Record<string, string>> }) => {
  const form = useDrawer<Wish>()
  const [job, setJob] = useState<number>()
  const levelId = number(filters.levelId)
  return (
    <Can do={exportToChsi}>
      <Button icon={<IconDownload />} onClick={() => form.open()}>
        {TITLE}
      </Button>
      <FormDrawer<Wish, DataOf<typeof exportToChsi>>
        key={form.key}
        {...form.props}
        title={TITLE}
        okText="导出"
        initial={{ gradeId: number(filters.gradeId), levelIds: levelId ? [levelId] : [], format: 'xlsx' }}
        action={() => formAction(exportToChsi, '已开始导出')}
        onSaved={({ jobId }) => setJob(jobId)}
      >
        <p className="form-hint">
          导出待注册且有学号、照片，学籍注册信息和入学资格审查已通过的学生，并标记为已导出；其余学生列在“未导出”中并说明原因。
        </p>
        <Field name="gradeId">
          <BasicSelect type="grade" />
        </Field>
        <Field name="levelIds">
          <SeveralOptions label="层次" options={listOptions} query={basicOptions('level')} />
        </Field>
        <Field name="format" label="格式" />
      </FormDrawer>
      {job !== undefined && <Following key={job} id={job} onClose={() => setJob(undefined)} />}
    </Can>
  )
}
