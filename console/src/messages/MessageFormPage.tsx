import { Alert, Button, Form, Radio, Select } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'react-router'
import { call } from '@/api/client'
import { useIdentity } from '@/api/identity'
import { listOptions } from '@/api/infra'
import type { BodyOf, RowOf } from '@/api/operation'
import { basicOptions } from '@/basic_data/BasicSelect'
import { fieldsOf } from '@/kit/Field'
import { FormPage } from '@/kit/FormPage'
import { formAction } from '@/kit/formAction'
import { formatNumber } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import { withZone } from '@/kit/moments'
import { RichText } from '@/kit/RichText'
import { SeveralOptions } from '@/kit/SeveralOptions'
import { paths } from '@/paths'
import { SchoolsSelect } from '@/schools/SchoolsSelect'
import { listStudents } from '@/student_status/api'
import { AudiencePreview } from './AudiencePreview'
import { editMessage, previewAudience, saveMessage, viewMessage } from './api'
import { isEditable } from './content'
import { RecipientSheet } from './RecipientSheet'

type Message = RowOf<typeof viewMessage>
type Choice = BodyOf<typeof previewAudience>

const Field = fieldsOf(saveMessage)

/** Audiences that a person can choose inside a school; a scene's is the product's. */
const AUDIENCES = [
  { value: 'all_students', label: '全部学生' },
  { value: 'student_filter', label: '按条件选择学生' },
  { value: 'list', label: '导入学生名单' },
  { value: 'teachers', label: '全部教师' },
  { value: 'site_staff', label: '站点人员' },
  { value: 'class_managers', label: '班主任' },
]

/** What operators choose for whole schools. */
const OF_SCHOOLS = AUDIENCES.filter(({ value }) => value !== 'student_filter' && value !== 'list')

/** Characters that a message may have. */
const CONTENT = 20_000

/** Nothing binds a person's WeChat yet, so a message that is written by hand does not go there. */
const CHANNELS = (saveMessage.fields.channels?.options ?? [])
  .filter(([value]) => value !== 'wechat')
  .map(([value, label]) => ({ value, label }))

const CONDITIONS = [
  ['gradeIds', '年级', 'grade'],
  ['levelIds', '层次', 'level'],
  ['majorIds', '专业', 'major'],
  ['siteIds', '站点', 'site'],
  ['classIds', '班级', 'class'],
] as const

const statuses = (listStudents.fields.status?.options ?? []).map(([value, label]) => ({ value, label }))

interface NamedStudentsProps {
  value?: number[]
  onChange?: (ids: number[]) => void
}

/** Students who were chosen in a list; nobody else gets the message. */
const NamedStudents = ({ value = [], onChange }: NamedStudentsProps) => (
  <span>
    选定的{formatNumber(value.length)}名学生
    <Button type="text" size="small" onClick={() => onChange?.([])}>
      改为按条件
    </Button>
  </span>
)

/** The conditions of student_filter; those of another audience are not sent. */
const Conditions = ({ named }: { named: boolean }) => (
  <>
    {named && (
      <Form.Item label="学生" field="audienceFilter.studentIds">
        <NamedStudents />
      </Form.Item>
    )}
    {CONDITIONS.map(([name, label, type]) => (
      <Form.Item key={name} label={label} field={`audienceFilter.${name}`}>
        <SeveralOptions label={label} options={listOptions} query={basicOptions(type)} />
      </Form.Item>
    ))}
    <Form.Item label="学籍状态" field="audienceFilter.studentStatus" extra="不选时为待注册、在籍、休学和超学制">
      <Select mode="multiple" aria-label="学籍状态" placeholder="在学" options={statuses} />
    </Form.Item>
  </>
)

/** Whether students are named in a filter. */
const namedIn = (filter: unknown) =>
  typeof filter === 'object' &&
  filter !== null &&
  'studentIds' in filter &&
  Array.isArray(filter.studentIds) &&
  filter.studentIds.length > 0

interface MessageFormProps {
  message?: Message
  /** A new message that begins as this one. */
  copied?: Partial<Message>
}

const MessageForm = ({ message, copied }: MessageFormProps) => {
  const inside = useIdentity((state) => state.account?.area) === 'school'
  const begun = message ?? copied
  const [all, setAll] = useState<Record<string, unknown>>({ ...begun })
  const audience = String(all.audience ?? 'all_students')
  const jump = String(all.jumpType ?? 'none')
  const timed = all.sendMode === 'timed'
  const first = {
    msgType: 'system',
    channels: ['in_app'],
    audience: 'all_students',
    jumpType: 'none',
    sendMode: 'now',
    ...copied,
  }
  const body = (values: object) => {
    const { audienceFilter, ...rest } = values as Record<string, unknown>
    const dated = withZone(rest, ['sendAt', 'topUntil'])
    return {
      ...dated,
      audienceFilter: audience === 'student_filter' ? audienceFilter : {},
      schoolIds: inside ? [] : dated.schoolIds,
    }
  }
  const choice = () =>
    ({
      audience,
      audienceFilter: audience === 'student_filter' ? all.audienceFilter : undefined,
      listId: audience === 'list' ? all.listId : undefined,
      schoolIds: inside ? [] : (all.schoolIds ?? []),
    }) as Choice
  return (
    <FormPage
      title={message ? `编辑消息 ${message.title}` : '新增消息'}
      help="保存为草稿；在消息管理中发送。接收人在发送的那一刻按条件确定。"
      record={message}
      initial={first}
      list={paths.messages}
      action={(row) => {
        const save = row ? formAction(editMessage, '已保存消息', row) : formAction(saveMessage, '已保存草稿')
        return { ...save, send: (values, request) => save.send(body(values), request) }
      }}
      reload={(row) => call(viewMessage, { query: { id: row.id } })}
      onValuesChange={(_, values) => setAll(values)}
    >
      {begun?.content !== undefined && !isEditable(begun.content) && (
        <Alert
          className="form-wide"
          type="warning"
          content="这条消息含有图片或表格，在这里保存后只保留文字、列表和链接。"
        />
      )}
      <Field name="title" />
      <Field name="msgType" />
      <Field name="channels">
        <Select mode="multiple" options={CHANNELS} />
      </Field>
      <Field name="sendMode" />
      {timed && <Field name="sendAt" required />}
      <Field name="topUntil" help="在此之前站内信排在最前" />
      <Field name="audience">
        <Radio.Group type="button" options={inside ? AUDIENCES : OF_SCHOOLS} />
      </Field>
      {!inside && (
        <Field name="schoolIds" required help="发给所选院校的全部在学学生，或全部在职的教师、站点人员、班主任">
          <SchoolsSelect />
        </Field>
      )}
      {inside && audience === 'student_filter' && <Conditions named={namedIn(all.audienceFilter)} />}
      {inside && audience === 'list' && (
        <Field name="listId" required help="表格第一行为“学号或手机号”和“姓名”；姓名可以不填，填写时必须一致">
          <RecipientSheet known={begun?.listName} />
        </Field>
      )}
      <AudiencePreview key={`${previewAudience.id}-${JSON.stringify(choice())}`} choice={choice} />
      <Field name="jumpType" />
      {jump !== 'none' && <Field name="jumpTarget" required />}
      <Form.Item
        className="form-wide"
        label="内容"
        field="content"
        required
        rules={[{ required: true, message: '内容不能为空' }]}
      >
        <RichText aria-label="内容" most={CONTENT} />
      </Form.Item>
      <Field name="remark" />
    </FormPage>
  )
}

const useMessage = (id: number) =>
  useQuery({
    queryKey: [viewMessage.path, id],
    queryFn: () => call(viewMessage, { query: { id } }),
    gcTime: 0,
    enabled: id > 0,
  })

/** Students who were chosen in a list: 12,15,18. */
const studentsIn = (asked: string | null) => (asked ?? '').split(',').map(Number).filter(Boolean)

export const NewMessagePage = () => {
  const asked = new URLSearchParams(useLocation().search)
  const copy = Number(asked.get('copy'))
  const copied = useMessage(copy)
  const studentIds = studentsIn(asked.get('students'))
  if (studentIds.length > 0) {
    return <MessageForm copied={{ audience: 'student_filter', audienceFilter: { studentIds } }} />
  }
  if (!copy) return <MessageForm />
  return <Loaded query={copied}>{(message) => <MessageForm copied={message} />}</Loaded>
}

export const EditMessagePage = () => {
  const query = useMessage(Number(new URLSearchParams(useLocation().search).get('id')))
  return <Loaded query={query}>{(message) => <MessageForm key={message.id} message={message} />}</Loaded>
}
