import { Alert, Button, Modal, Result, Space, Steps, Table, Upload } from '@arco-design/web-react'
import { IconImport } from '@arco-design/web-react/icon'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { request } from '@/api/client'
import { download, saveBlob } from '@/api/files'
import type { Operation } from '@/api/operation'
import { refetchAll } from '@/api/query'
import { Can } from './Can'
import { csvOf, errorRows } from './csv'
import { formatNumber } from './format'
import { JobProgress } from './JobProgress'
import { useJob } from './useJob'

/** What an import answers, of a dry run and of the real one. Long ones answer only `jobId`. */
export interface ImportResult {
  total: number
  imported: number
  errors: { row: number; column: string; message: string }[]
  errorFileId?: number | null
  /** The person's own sheet with a column that says what is wrong. */
  errorFileUrl?: string | null
  jobId?: number | null
  /** Of the file, sent back with the confirmation: what is written is what was checked. */
  sha256: string
}

interface ImportButtonProps {
  do: Operation<undefined, FormData, ImportResult>
  template: Operation<undefined, undefined, Blob>
  /** What is imported, in words: 站点. */
  what: string
}

/** The sheet to be checked, or to be written when it still is the one that was checked. */
interface Sheet {
  file: File
  checked: string | null
}

const formOf = ({ file, checked }: Sheet) => {
  const form = new FormData()
  form.set('file', file)
  if (checked) form.set('sha256', checked)
  else form.set('dryRun', 'true')
  return form
}

/** One run over the file, dry or real: its answer, or its job's progress and then its result. */
const useRun = (operation: ImportButtonProps['do']) => {
  const run = useMutation({
    mutationFn: (sheet: Sheet) => request(operation, { body: formOf(sheet) }),
    onSuccess: () => refetchAll(),
  })
  const job = useJob(run.data?.jobId).data
  const direct = run.data?.jobId ? undefined : run.data
  const ended = job && job.state !== 'queued' && job.state !== 'running' ? job : undefined
  const errors = direct
    ? direct.errors.map(({ row, column, message }) => [String(row), column, message])
    : errorRows(ended?.errors)
  return {
    start: run.mutate,
    forget: run.reset,
    isRunning: run.isPending || Boolean(run.data?.jobId && !ended),
    job,
    isOver: Boolean(direct ?? ended),
    failed: ended?.state === 'failed' || ended?.state === 'cancelled' || errors.length > 0,
    total: direct?.total ?? ended?.total ?? 0,
    message: ended?.message,
    errors,
    errorUrl: direct?.errorFileUrl ?? ended?.fileUrl,
    sha256: run.data?.sha256,
  }
}
type Run = ReturnType<typeof useRun>

const Running = ({ run, words }: { run: Run; words: string }) => (
  <div className="import-running" role="status">
    {run.job ? <JobProgress job={run.job} /> : <p>{words}</p>}
    {run.job && <p>可以关闭窗口去做别的事，进度在任务中心查看。</p>}
  </div>
)

/** So many that a virtual table, whose rows nobody can read by ear, is worth it. */
const MANY_ERRORS = 200

const Errors = ({ run }: { run: Run }) => (
  <>
    <Alert
      type="error"
      title={
        run.message ||
        `共${formatNumber(run.total)}行，其中${formatNumber(run.errors.length)}处需要改正，没有写入任何数据`
      }
      content="请按下表改正后重新上传。"
    />
    <Table
      className="import-errors"
      size="small"
      rowKey="key"
      data={run.errors.map(([row, column, message], key) => ({ key, row, column, message }))}
      virtualized={run.errors.length > MANY_ERRORS}
      pagination={false}
      scroll={{ y: 240 }}
      columns={[
        { title: '行', dataIndex: 'row', width: 80 },
        { title: '列', dataIndex: 'column', width: 140 },
        { title: '原因', dataIndex: 'message' },
      ]}
    />
  </>
)

const steps = ['上传文件', '检查', '完成'] as const

/** 导入: template, upload, dry run, confirmation, result. Nothing is written unless every row is right. */
export const ImportButton = ({ do: operation, template, what }: ImportButtonProps) => {
  const [open, setOpen] = useState(false)
  const [file, setFile] = useState<File>()
  const check = useRun(operation)
  const real = useRun(operation)
  const templating = useMutation({ mutationFn: () => download(template, {}, `${what}导入模板.xlsx`) })
  const savingErrors = useMutation({
    mutationFn: async () => {
      if (check.errorUrl) location.assign(check.errorUrl)
      else saveBlob(csvOf(['行', '列', '原因'], check.errors), `${what}导入错误表.csv`)
    },
  })
  const step = real.isOver || real.isRunning ? 3 : file ? 2 : 1
  const checked = check.isOver && !check.failed && check.sha256
  const restart = () => {
    setFile(undefined)
    check.forget()
    real.forget()
  }
  const close = () => {
    setOpen(false)
    restart()
  }
  const footer = (
    <Space>
      <Button onClick={close}>{step === 3 ? '关闭' : '取消'}</Button>
      {step === 2 && check.isOver && check.failed && (
        <Button loading={savingErrors.isPending} onClick={() => savingErrors.mutate()}>
          下载错误表
        </Button>
      )}
      {(step === 2 && check.isOver) || (step === 3 && real.isOver) ? <Button onClick={restart}>重新上传</Button> : null}
      {step === 2 && checked && file && (
        <Button type="primary" onClick={() => real.start({ file, checked })}>
          确认导入{formatNumber(check.total)}行
        </Button>
      )}
    </Space>
  )
  return (
    <Can do={operation}>
      <Button icon={<IconImport />} onClick={() => setOpen(true)}>
        导入
      </Button>
      <Modal title={`导入${what}`} style={{ width: 720 }} visible={open} onCancel={close} footer={footer} unmountOnExit>
        <Steps className="import-steps" size="small" current={step}>
          {steps.map((title) => (
            <Steps.Step key={title} title={title} />
          ))}
        </Steps>
        {step === 1 && (
          <>
            <p>
              请先
              <Button type="text" loading={templating.isPending} onClick={() => templating.mutate()}>
                下载模板
              </Button>
              ，按模板填写后上传。全部检查通过后才会写入。
            </p>
            <Upload
              drag
              accept=".xlsx"
              limit={1}
              autoUpload={false}
              showUploadList={false}
              tip="只支持 .xlsx 文件，最多 100,000 行"
              onChange={(list) => {
                const chosen = list.at(-1)?.originFile
                if (!chosen) return
                setFile(chosen)
                check.start({ file: chosen, checked: null })
              }}
            />
          </>
        )}
        {step === 2 && check.isRunning && <Running run={check} words="正在检查" />}
        {step === 2 && check.isOver && check.failed && <Errors run={check} />}
        {step === 2 && check.isOver && !check.failed && (
          <Result
            status="success"
            title={`检查通过，共${formatNumber(check.total)}行`}
            subTitle={`文件：${file?.name}。确认后写入。`}
          />
        )}
        {step === 3 && real.isRunning && <Running run={real} words="正在导入" />}
        {step === 3 && real.isOver && real.failed && <Errors run={real} />}
        {step === 3 && real.isOver && !real.failed && (
          <Result status="success" title={real.message || `已导入${formatNumber(real.total)}行`} />
        )}
      </Modal>
    </Can>
  )
}
