import { Button, Form, Result, Space, Steps, Upload } from '@arco-design/web-react'
import { IconDownload } from '@arco-design/web-react/icon'
import { useMutation } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useNavigate } from 'react-router'
import { request } from '@/api/client'
import { download } from '@/api/files'
import { formatNumber } from '@/kit/format'
import { Errors, Running, saveErrors, useImportRun } from '@/kit/importRun'
import { Page } from '@/kit/Page'
import { useUnsaved } from '@/kit/tab'
import { paths } from '@/paths'
import { fetchUserImportTemplate, importSystemUsers } from '../api'
import { ExpiryInput } from './ExpiryInput'
import { RoleSelect } from './RoleSelect'
import './users.css'

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

const send = (sent: Sent) => request(importSystemUsers, { body: formOf(sent) })
/** How high the table of errors is. */
const ERRORS_PX = 320
const ON = '可以去做别的事，进度在任务中心查看；初始密码请在本页下载。'

interface DoneProps {
  /** What was written. */
  words: string
  /** Names the sheet of initial passwords. */
  passwords: { passwordSheetId?: number | null; jobId?: number | null }
  onAgain: () => void
}

const steps = ['上传文件', '检查结果', '完成'] as const

/** Downloads the passwords once; the server gives them no second time. */
const Done = ({ words, passwords, onAgain }: DoneProps) => {
  const navigate = useNavigate()
  const fetching = useMutation({
    mutationFn: () => download(fetchUserImportTemplate, { query: passwords }, '初始密码.xlsx'),
  })
  return (
    <Result
      status="success"
      title={words}
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
  const check = useImportRun(send)
  const real = useImportRun(send)
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
  const { passwordSheetId, jobId } = real.answer ?? {}
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
        {at === 2 && check.isRunning && <Running run={check} words="正在检查" meanwhile={ON} />}
        {at === 2 && !check.isRunning && !check.isOver && (
          <Result status="error" title="检查没有完成" extra={<Button onClick={back}>重新上传</Button>} />
        )}
        {at === 2 && check.isOver && check.failed && (
          <>
            <Errors run={check} height={ERRORS_PX} />
            <Space className="upload-buttons">
              <Button onClick={() => saveErrors(check, '账号导入错误表.csv')}>下载错误表</Button>
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
                <Button type="primary" onClick={() => real.start({ ...sent, checked: check.answer?.sha256 ?? null })}>
                  确认导入{formatNumber(check.total)}行
                </Button>
              </Space>
            }
          />
        )}
        {at === 3 && real.isRunning && <Running run={real} words="正在导入" meanwhile={ON} />}
        {at === 3 && real.isOver && real.failed && (
          <>
            <Errors run={real} height={ERRORS_PX} />
            <Button className="upload-buttons" onClick={back}>
              重新上传
            </Button>
          </>
        )}
        {at === 3 && real.isOver && !real.failed && (
          <Done
            words={real.message || `已导入${formatNumber(real.total)}个账号`}
            passwords={passwordSheetId ? { passwordSheetId } : { jobId }}
            onAgain={back}
          />
        )}
      </div>
    </Page>
  )
}
