import { Alert, Button, Descriptions, Form, Modal, Select, Space, Switch, Table, Upload } from '@arco-design/web-react'
import { IconImage } from '@arco-design/web-react/icon'
import { useMutation } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { saveBlob } from '@/api/files'
import type { viewJob } from '@/api/infra'
import type { Operation, RowOf } from '@/api/operation'
import { refetchAll } from '@/api/query'
import { useCall } from '@/api/schoolContext'
import { Can } from '@/kit/Can'
import { csvOf, errorRows } from '@/kit/csv'
import { formatNumber } from '@/kit/format'
import { Running } from '@/kit/importRun'
import { useJob } from '@/kit/useJob'
import type { importStudentPhotos } from './api'

type Answer = RowOf<typeof importStudentPhotos>

/** The pictures that were not kept, and why. */
const Left = ({ rows }: { rows: { name: string | undefined; message: string | undefined }[] }) => (
  <Table
    size="small"
    rowKey="name"
    data={rows}
    pagination={{ pageSize: 10, hideOnSinglePage: true }}
    columns={[
      { title: '文件', dataIndex: 'name', width: 260 },
      { title: '原因', dataIndex: 'message' },
    ]}
  />
)

interface OutcomeProps {
  answer: Answer
  dry: boolean
  nobody: string
}

const Outcome = ({ answer, dry, nobody }: OutcomeProps) => {
  const kept = [
    ...answer.unmatched.map((name) => ({ name, message: nobody })),
    ...answer.invalid.map(({ name, message }) => ({ name, message })),
  ]
  const save = () =>
    saveBlob(
      csvOf(
        ['文件', '原因'],
        kept.map(({ name, message }) => [name, message]),
      ),
      '未导入的照片.csv',
    )
  return (
    <>
      <Alert
        className="form-lead"
        type={kept.length > 0 ? 'warning' : 'success'}
        content={
          dry
            ? `检查完成：可导入${formatNumber(answer.matched)}张，${formatNumber(kept.length)}张不能导入`
            : `已导入${formatNumber(answer.matched)}张，${formatNumber(kept.length)}张没有导入`
        }
      />
      <Descriptions
        column={3}
        data={[
          { label: '图片总数', value: formatNumber(answer.total) },
          { label: '替换', value: formatNumber(answer.replaced) },
          { label: '已有而跳过', value: formatNumber(answer.skipped) },
        ]}
      />
      {kept.length > 0 && (
        <>
          <Left rows={kept} />
          <Button className="bulk-download" onClick={save}>
            下载明细
          </Button>
        </>
      )}
    </>
  )
}

/** How a job over many pictures ended: what it did, and what it left with the whole list as a file. */
const OfJob = ({ job }: { job: RowOf<typeof viewJob> }) => {
  const left = errorRows(job.errors).map(([, name, message]) => ({ name, message }))
  const type = job.state !== 'done' ? 'error' : left.length > 0 ? 'warning' : 'success'
  return (
    <>
      <Alert
        className="form-lead"
        type={type}
        content={job.message}
        action={job.fileUrl && <a href={job.fileUrl}>下载明细</a>}
      />
      {left.length > 0 && <Left rows={left} />}
    </>
  )
}

interface ImportPhotosProps {
  do: Operation<undefined, FormData, Answer>
  /** Which photo of a person it is, where a person has several. */
  kinds?: readonly (readonly [kind: string, label: string])[]
  /** The kind unless another is chosen. */
  usual?: string
  /** By what the pictures are named, and how they must be. */
  naming: string
  /** Why a picture was left whose number is nobody's. */
  nobody: string
}

/** 导入照片: a zip whose pictures are named by number; a dry run first, then what matched is written. */
export const ImportPhotos = ({ do: operation, kinds = [], usual, naming, nobody }: ImportPhotosProps) => {
  const call = useCall()
  const [open, setOpen] = useState(false)
  const [kind, setKind] = useState(usual)
  const [overwrite, setOverwrite] = useState(false)
  const [file, setFile] = useState<File>()
  const formId = useId()
  const run = useMutation({
    mutationFn: ({ chosen, dryRun }: { chosen: File; dryRun: boolean }) => {
      const body = new FormData()
      body.set('file', chosen)
      if (kind) body.set('kind', kind)
      body.set('overwrite', String(overwrite))
      body.set('dryRun', String(dryRun))
      return call(operation, { body })
    },
    onSuccess: () => refetchAll(),
  })
  const dry = run.variables?.dryRun ?? true
  /** Many pictures are looked at by a job, which goes on when the dialog is closed. */
  const job = useJob(run.data?.jobId).data
  const ended = job && job.state !== 'queued' && job.state !== 'running' ? job : undefined
  const isRunning = run.data?.jobId && !ended
  const direct = run.data?.jobId ? undefined : run.data
  const restart = () => {
    setFile(undefined)
    run.reset()
  }
  const close = () => {
    setOpen(false)
    restart()
  }
  return (
    <Can do={operation}>
      <Button icon={<IconImage />} onClick={() => setOpen(true)}>
        导入照片
      </Button>
      <Modal
        title="导入照片"
        style={{ width: 640 }}
        visible={open}
        onCancel={close}
        unmountOnExit
        footer={
          <Space>
            <Button onClick={close}>{isRunning || (run.data && !dry) ? '关闭' : '取消'}</Button>
            {(direct ?? ended) && <Button onClick={restart}>重新上传</Button>}
            {dry && file && (direct ?? (ended?.state === 'done' && ended)) && (
              <Button
                type="primary"
                loading={run.isPending}
                disabled={direct?.matched === 0}
                onClick={() => run.mutate({ chosen: file, dryRun: false })}
              >
                {direct ? `确认导入${formatNumber(direct.matched)}张` : '确认导入'}
              </Button>
            )}
          </Space>
        }
      >
        {isRunning && (
          <Running
            run={{ job }}
            words={dry ? '正在检查' : '正在导入'}
            meanwhile="可以关闭窗口去做别的事，进度在任务中心查看。"
          />
        )}
        {ended && <OfJob job={ended} />}
        {direct && <Outcome answer={direct} dry={dry} nobody={nobody} />}
        {!run.data && (
          <>
            <Form id={formId} layout="inline">
              {kinds.length > 0 && (
                <Form.Item label="照片类型">
                  <Select
                    aria-label="照片类型"
                    style={{ width: 140 }}
                    value={kind}
                    options={kinds.map(([value, label]) => ({ value, label }))}
                    onChange={setKind}
                  />
                </Form.Item>
              )}
              <Form.Item label="覆盖已有照片">
                <Switch aria-label="覆盖已有照片" checked={overwrite} onChange={setOverwrite} />
              </Form.Item>
            </Form>
            <p className="form-lead">{naming}</p>
            <Upload
              drag
              accept=".zip"
              limit={1}
              autoUpload={false}
              showUploadList={false}
              disabled={run.isPending}
              tip={run.isPending ? '正在检查' : '只支持 .zip 文件，最大 1GB'}
              onChange={(list) => {
                const chosen = list.at(-1)?.originFile
                if (!chosen) return
                setFile(chosen)
                run.mutate({ chosen, dryRun: true })
              }}
            />
          </>
        )}
      </Modal>
    </Can>
  )
}
