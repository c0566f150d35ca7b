import { Alert, Button, Form, Result, Space, Steps, Table, Upload } from '@arco-design/web-react'
import { IconDownload } from '@arco-design/web-react/icon'
import { useMutation } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useNavigate } from 'react-router'
import { request } from '@/api/client'
import { download, saveBlob } from '@/api/files'
import { refetchAll } from '@/api/query'
import { csvOf, errorRows } from '@/kit/csv'
import { formatNumber } from '@/kit/format'
import { JobProgress } from '@/kit/JobProgress'
import { Page } from '@/kit/Page'
import { useJob } from '@/kit/useJob'
import { paths } from '@/paths'
import { useUnsaved } from '@/shell/tab'
import { fetchUserImportTemplate, importSystemUsers } from '../api'
import { ExpiryInput } from './ExpiryInput'
import { RoleSelect } from './RoleSelect'

interface Terms {
  roleIdList: number[]
  gmtExpires?: string
}

/** What is sent: to be checked, or to be written when the file still is the one that was checked. */
interface Sent extends Terms {
  file: File
  checked: string | null
}

const formOf = ({ file, roleIdList, gmtExpires, checked }: Sent) => {
  const form = new FormData()
  // Fields before the file: the server reads them in order.
  for (const id of roleIdList) form.append('roleIdList', String(id))
  if (gmtExpires) form.set('gmtExpires', gmtExpires)
  if (checked) form.set('sha256', checked)
  else form.set('dryRun', 'true')
  form.set('file', file)
  return form
}

/** One run over the file, dry or real: its answer, or its job's progress and then its result. */
const useRun = () => {
  const run = useMutation({
    mutationFn: (sent: Sent) => request(importSystemUsers, { body: formOf(sent) }),
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
    isOver: Boolean(direct ?? ended),
    failed: ended?.state === 'failed' || ended?.state === 'cancelled' || errors.length > 0,
    job,
    message: ended?.message,
    total: direct?.total ?? ended?.total ?? 0,
    errors,
    errorUrl: direct?.errorFileUrl ?? ended?.fileUrl,
    sha256: run.data?.sha256,
    /** Names the sheet of initial passwords. */
    passwords: direct?.passwordSheetId ? { passwordSheetId: direct.passwordSheetId } : { jobId: run.data?.jobId },
  }
}
type Run = ReturnType<typeof useRun>

const Running = ({ run, words }: { run: Run; words: string }) => (
  <div className="import-running" role="status">
    {run.job ? <JobProgress job={run.job} /> : <p>{words}</p>}
    {run.job && <p>可以去做别的事，进度在任务中心查看；初始密码请在本页下载。</p>}
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
      scroll={{ y: 320 }}
      columns={[
        { title: '行', dataIndex: 'row', width: 80 },
        { title: '列', dataIndex: 'column', width: 140 },
        { title: '原因', dataIndex: 'message' },
      ]}
    />
  </>
)

const steps = ['上传文件', '检查结果', '完成'] as const

/** Downloads the passwords once; the server gives them no second time. */
const Done = ({ run, onAgain }: { run: Run; onAgain: () => void }) => {
  const navigate = useNavigate()
  const fetching = useMutation({
    mutationFn: () => download(fetchUserImportTemplate, { query: run.passwords }, '初始密码.xlsx'),
  })
  return (
    <Result
      status="success"
      title={run.message || `已导入${formatNumber(run.total)}个账号`}
      subTitle="初始密码只能由您在24小时内下载一次，下载后请妥善保管并尽快发给本人。首次登录时须修改密码。"
      extra={
        <Space>
          <Button
            type="primary"
            icon={<IconDownload />}
            loading={fetching.isPending}
            disabled={fetching.isSuccess}
            onClick={() => fetching.mutate()}
          >
            {fetching.isSuccess ? '初始密码已下载' : '下载初始密码'}
          </Button>
          <Button onClick={onAgain}>继续导入</Button>
          <Button onClick={() => navigate(paths.users)}>返回账号管理</Button>
        </Space>
      }
    />
  )
}

/** 批量导入账号: one file, one list of roles, one end; checked as a whole before anything is written. */
export const UserUploadPage = () => {
  const [form] = Form.useForm<Terms>()
  const formId = useId()
  const [sent, setSent] = useState<Omit<Sent, 'checked'>>()
  const [file, setFile] = useState<File>()
  const [missing, setMissing] = useState(false)
  const check = useRun()
  const real = useRun()
  const templating = useMutation({ mutationFn: () => download(fetchUserImportTemplate, {}, '账号导入模板.xlsx') })
  useUnsaved(Boolean(file) && !real.isOver)
  const at = real.isOver || real.isRunning ? 3 : sent ? 2 : 1
  const begin = async () => {
    setMissing(!file)
    const terms = await form.validate()
    if (!file) return
    const next = { ...terms, file }
    setSent(next)
    check.start({ ...next, checked: null })
  }
  const back = () => {
    setSent(undefined)
    setFile(undefined)
    check.forget()
    real.forget()
  }
  const saveErrors = () => {
    if (check.errorUrl) location.assign(check.errorUrl)
    else saveBlob(csvOf(['行', '列', '原因'], check.errors), '账号导入错误表.csv')
  }
  return (
    <Page title="批量导入账号" help="为平台人员批量开通账号；整个文件使用同一组角色和有效期。">
      <div className="upload-page">
        <Steps className="import-steps" size="small" current={at}>
          {steps.map((title) => (
            <Steps.Step key={title} title={title} />
          ))}
        </Steps>
        <div hidden={at !== 1}>
          <Form form={form} id={formId} layout="vertical" onSubmit={() => begin().catch(() => {})}>
            <Form.Item field="roleIdList" label="角色" rules={[{ required: true, message: '请选择角色' }]}>
              <RoleSelect of="platform" aria-label="角色" />
            </Form.Item>
            <Form.Item field="gmtExpires" label="有效期至">
              <ExpiryInput aria-label="有效期至" />
            </Form.Item>
            <Form.Item
              label="文件"
              required
              validateStatus={missing ? 'error' : undefined}
              help={missing ? '请选择文件' : undefined}
            >
              <p className="upload-template">
                请先
                <Button type="text" loading={templating.isPending} onClick={() => templating.mutate()}>
                  下载模板
                </Button>
                ，按模板填写后上传。初始密码留空时自动生成。
              </p>
              <Upload
                drag
                accept=".xlsx"
                // The page keeps the file itself; one chosen later takes its place.
                fileList={[]}
                autoUpload={false}
                showUploadList={false}
                tip={file ? `已选择：${file.name}` : '只支持 .xlsx 文件，最多 100,000 行'}
                onChange={(list) => {
                  setFile(list.at(-1)?.originFile)
                  setMissing(false)
                }}
              />
            </Form.Item>
            <Button className="upload-begin" type="primary" onClick={() => begin().catch(() => {})}>
              上传并检查
            </Button>
          </Form>
        </div>
        {at === 2 && check.isRunning && <Running run={check} words="正在检查" />}
        {at === 2 && !check.isRunning && !check.isOver && (
          <Result status="error" title="检查没有完成" extra={<Button onClick={back}>重新上传</Button>} />
        )}
        {at === 2 && check.isOver && check.failed && (
          <>
            <Errors run={check} />
            <Space className="upload-buttons">
              <Button onClick={saveErrors}>下载错误表</Button>
              <Button type="primary" onClick={back}>
                重新上传
              </Button>
            </Space>
          </>
        )}
        {at === 2 && sent && check.isOver && !check.failed && (
          <Result
            status="success"
            title={`检查通过，共${formatNumber(check.total)}行`}
            subTitle={`文件：${sent.file.name}。确认后写入。`}
            extra={
              <Space>
                <Button onClick={back}>重新上传</Button>
                <Button type="primary" onClick={() => real.start({ ...sent, checked: check.sha256 ?? null })}>
                  确认导入{formatNumber(check.total)}行
                </Button>
              </Space>
            }
          />
        )}
        {at === 3 && real.isRunning && <Running run={real} words="正在导入" />}
        {at === 3 && real.isOver && real.failed && (
          <>
            <Errors run={real} />
            <Button className="upload-buttons" onClick={back}>
              重新上传
            </Button>
          </>
        )}
        {at === 3 && real.isOver && !real.failed && <Done run={real} onAgain={back} />}
      </div>
    </Page>
  )
}
