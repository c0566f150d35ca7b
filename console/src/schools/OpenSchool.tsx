import {
  Alert,
  Button,
  Descriptions,
  Form,
  Modal,
  Progress,
  Result,
  Space,
  Steps,
  Typography,
} from '@arco-design/web-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call, request } from '@/api/client'
import { fieldErrors } from '@/api/errors'
import type { BodyOf, RowOf } from '@/api/operation'
import { refetchAll } from '@/api/query'
import { Can } from '@/kit/Can'
import { fieldsOf } from '@/kit/Field'
import { PictureUpload } from '@/kit/PictureUpload'
import { tidied } from '@/kit/rules'
import { useDraftForm } from '@/kit/useDraftForm'
import { useJob } from '@/kit/useJob'
import { copyFoundations, retrySchoolProvision, saveSchool } from './api'
import './schools.css'

type Opened = RowOf<typeof saveSchool>
type NewSchool = BodyOf<typeof saveSchool>
type FieldName = keyof NewSchool & string

const Field = fieldsOf(saveSchool)

/** The pages of the wizard and the fields on each, so that a refusal can lead back to its page. */
const pages: readonly { title: string; fields: readonly FieldName[] }[] = [
  {
    title: '基本',
    fields: ['code', 'name', 'shortName', 'identityCode', 'contactName', 'contactPhone', 'province', 'address'],
  },
  { title: '品牌与域名', fields: ['domain', 'title', 'brandColor', 'logo', 'logoNoWord', 'loginBackground'] },
  { title: '配额与到期', fields: ['status', 'expiresOn', 'studentQuota', 'storageQuotaGb', 'assistanceCenterEnabled'] },
  { title: '管理员', fields: ['adminLoginName', 'adminRealName', 'adminPhone'] },
]
const pictures: ReadonlySet<FieldName> = new Set(['logo', 'logoNoWord', 'loginBackground'])
const helps: Partial<Record<FieldName, string>> = {
  expiresOn: '试用不填时为30天',
  studentQuota: '留空表示不限',
  storageQuotaGb: '留空表示不限；存满后不能再上传文件',
}

/** After saving: how far the opening is, then the account, whose password is shown this once. */
const Opening = ({ opened, onCopy }: { opened: Opened; onCopy: () => void }) => {
  const [jobId, setJobId] = useState(opened.jobId)
  const job = useJob(jobId).data
  const retry = useMutation({
    mutationFn: () => call(retrySchoolProvision, { query: { id: opened.id } }),
    onSuccess: (started) => setJobId(started.jobId),
  })
  const ready = job?.state === 'done'
  const failed = job?.state === 'failed' || job?.state === 'cancelled'
  return (
    <>
      {!ready && !failed && (
        <div className="import-running" role="status">
          <Progress percent={job?.total ? Math.floor((job.done / job.total) * 100) : 0} animation />
          <p>正在开通{job?.step ? `：${job.step}` : ''}，可以关闭窗口，稍后在列表查看。</p>
        </div>
      )}
      {failed && (
        <Result
          status="error"
          title="开通没有完成"
          subTitle={job?.message}
          extra={
            <Button type="primary" loading={retry.isPending} onClick={() => retry.mutate()}>
              重试
            </Button>
          }
        />
      )}
      {ready && (
        <Result
          status="success"
          title="院校已开通，管理员可以登录了"
          subTitle="下一步：层次、年级、专业等可从模板院校或其他院校复制，再由院校按首页的“建校步骤”补齐。"
          extra={
            <Can do={copyFoundations}>
              <Button onClick={onCopy}>复制基础数据</Button>
            </Can>
          }
        />
      )}
      {opened.initialPassword && (
        <Alert type="warning" title="请现在记下初始密码，关闭后不再显示" content="首次登录时须修改密码。" />
      )}
      <Descriptions
        className="opened-account"
        column={1}
        data={[
          { label: '管理员账号', value: opened.adminLoginName },
          {
            label: '初始密码',
            value: opened.initialPassword ? (
              <Typography.Text code>{opened.initialPassword}</Typography.Text>
            ) : (
              '已按您填写的设置，或已显示过'
            ),
          },
        ]}
      />
    </>
  )
}

interface OpenSchoolProps {
  onClose: () => void
  /** Goes on with what the new school may take over from another one. */
  onCopy: (school: { id: number; name: string }) => void
}

/** 新增院校, in four pages and the progress of the opening. */
export const OpenSchool = ({ onClose, onCopy }: OpenSchoolProps) => {
  const [at, setAt] = useState(0)
  const draft = useDraftForm(true, { status: 'trial', assistanceCenterEnabled: false })
  const saving = useMutation({
    mutationFn: (values: Partial<NewSchool>) => request(saveSchool, { body: tidied(values) }),
    onSuccess: () => {
      draft.settled()
      refetchAll()
    },
    onError: (error) => {
      const refused = fieldErrors(error).map(({ field }) => field)
      const page = pages.findIndex(({ fields }) => fields.some((name) => refused.includes(name)))
      if (page >= 0) setAt(page)
      draft.showErrors(error)
    },
  })
  const last = at === pages.length - 1
  const next = async () => {
    try {
      await draft.form.validate([...(pages[at]?.fields ?? [])])
    } catch {
      return
    }
    if (!last) setAt(at + 1)
    else saving.mutate(draft.form.getFieldsValue())
  }
  const close = async () => {
    if (saving.data || (await draft.mayClose())) onClose()
  }
  return (
    <Modal
      title="新增院校"
      style={{ width: 720 }}
      visible
      onCancel={close}
      footer={
        saving.data ? (
          <Button type="primary" onClick={close}>
            完成
          </Button>
        ) : (
          <Space>
            <Button onClick={close}>取消</Button>
            {at > 0 && <Button onClick={() => setAt(at - 1)}>上一步</Button>}
            <Button type="primary" loading={saving.isPending} onClick={next}>
              {last ? '开通院校' : '下一步'}
            </Button>
          </Space>
        )
      }
    >
      <Steps className="import-steps" size="small" current={saving.data ? pages.length + 1 : at + 1}>
        {[...pages.map((page) => page.title), '开通'].map((title) => (
          <Steps.Step key={title} title={title} />
        ))}
      </Steps>
      {saving.data && (
        <Opening
          opened={saving.data}
          onCopy={() => saving.data && onCopy({ id: saving.data.id, name: saving.variables?.name ?? '' })}
        />
      )}
      {!saving.data && (
        <div ref={draft.wrapper} className="wizard-page">
          <Form {...draft.formProps} onSubmit={next}>
            {pages.map((page, index) => (
              <div key={page.title} className="form-grid" hidden={index !== at}>
                {page.fields.map((name) => (
                  <Field key={name} name={name} help={helps[name]}>
                    {pictures.has(name) ? <PictureUpload /> : undefined}
                  </Field>
                ))}
              </div>
            ))}
            <button type="submit" hidden />
          </Form>
        </div>
      )}
    </Modal>
  )
}
