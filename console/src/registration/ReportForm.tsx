import { Alert, Button, Checkbox, Descriptions, Modal, Radio, Space } from '@arco-design/web-react'
import type { Caller } from '@/api/client'
import { useAllowed } from '@/api/identity'
import type { BodyOf, DataOf } from '@/api/operation'
import type { Saved, Stepped } from '@/api/types/shared'
import { afterwards } from '@/kit/actions'
import { tellFailures } from '@/kit/BulkBar'
import { Can } from '@/kit/Can'
import { CopyButton } from '@/kit/CopyButton'
import { fieldsOf } from '@/kit/Field'
import { FileUpload } from '@/kit/FileUpload'
import { FormDrawer } from '@/kit/FormDrawer'
import { type FormAction, formAction } from '@/kit/formAction'
import { Masked } from '@/kit/Masked'
import type { DrawerProps } from '@/kit/useDrawer'
import {
  editRegistration,
  printRegistration,
  reportRegistration,
  reportRegistrations,
  undoReport,
  viewRegistration,
} from './api'
import { type Own, OwnFields, ownOf, withOwn } from './OwnFields'
import { reportWarnings, type View } from './registrationRules'
import { PAPERS, type Ticked } from './StepForms'
import { ENTITY, materials } from './words'
import './registration.css'

type Reported = DataOf<typeof reportRegistration>
type Method = NonNullable<BodyOf<typeof reportRegistration>['verifyMethod']>

/** What is typed at the desk. */
interface Arrival extends Pick<View, 'id' | 'version' | 'materials'>, Own {
  identityVerified: boolean
  verifyMethod?: Method | ''
  photo?: string | null
  attachment?: string | null
}

const arrivalOf = (person: View): Arrival => {
  const { id, version, materials, identityVerified, verifyMethod } = person
  return { id, version, materials, identityVerified, verifyMethod: verifyMethod ?? undefined, ...ownOf(person) }
}

const reload = async ({ id }: Arrival, call: Caller) => arrivalOf(await call(viewRegistration, { query: { id } }))

/** Whoever was compared by face in their client is compared anew at the desk. */
const atDesk = (arrival: Arrival): Arrival =>
  arrival.verifyMethod === 'face' ? { ...arrival, verifyMethod: undefined } : arrival

interface ControlProps<Value> {
  value?: Value
  onChange?: (value: Value) => void
  'aria-label'?: string
}

const NONE = ''

interface MethodChoiceProps extends ControlProps<Method | typeof NONE> {
  /** What it means to choose none, where one need not. */
  none?: string
}

/** 核验方式 of the desk; a face is compared in the person's own client. */
const MethodChoice = ({ none, ...props }: MethodChoiceProps) => (
  <Radio.Group
    {...props}
    type="button"
    options={[
      ...(none ? [{ value: NONE, label: none }] : []),
      ...(reportRegistration.fields.verifyMethod?.options ?? [])
        .filter(([method]) => method !== 'face' || props.value === 'face')
        .map(([value, label]) => ({ value, label })),
    ]}
  />
)

const MaterialTicks = ({ 'aria-label': label, ...props }: ControlProps<string[]>) => (
  // biome-ignore lint/a11y/useSemanticElements: a fieldset would bring a frame and a legend of its own
  <div role="group" aria-label={label}>
    <Checkbox
      checked={props.value?.length === materials.length}
      indeterminate={Boolean(props.value?.length) && props.value?.length !== materials.length}
      onChange={(all) => props.onChange?.(all ? materials.map(([value]) => value) : [])}
    >
      全选
    </Checkbox>
    <Checkbox.Group
      {...props}
      direction="vertical"
      options={materials.map(([value, words]) => ({ value, label: words }))}
    />
  </div>
)

interface PhotoProps extends ControlProps<string | null> {
  person: View
}

/** 报到照片: another than what is there already, which is shown. */
const PhotoInput = ({ person, ...control }: PhotoProps) => {
  const there = person.photoUrl ?? person.admissionPhotoUrl
  return (
    <div className="arrival-photo">
      {there && !control.value && (
        <figure>
          <img src={there} alt={`${person.name}的照片`} />
          <figcaption>{person.photoUrl ? '报到照片' : '录取照片'}</figcaption>
        </figure>
      )}
      <FileUpload {...control} type={3} purpose="identity" accept=".jpg,.jpeg,.png" />
    </div>
  )
}

const Field = fieldsOf(reportRegistration)

const Facts = ({ person }: { person: View }) => (
  <Descriptions
    className="form-wide form-lead"
    column={2}
    labelStyle={{ width: 80 }}
    data={[
      { label: '考生号', value: person.examineeNo },
      {
        label: '证件号',
        value: <Masked entity={ENTITY} id={person.id} field="idCardNo" label="证件号" value={person.idCardNo} />,
      },
      { label: '专业', value: `${person.levelName} ${person.majorName}` },
      { label: '站点', value: person.siteName },
    ]}
  />
)

/** What the server takes as a photo of somebody. */
const MEASURES = 'jpg 或 png，宽高比3:4，不小于150×200像素，不超过2MB'

/** A report needs a photo: one's own, or that of the admission. */
const PhotoField = ({ person, needed }: { person: View; needed: boolean }) => {
  const there = Boolean(person.photoUrl ?? person.admissionPhotoUrl)
  return (
    <Field
      name="photo"
      label="报到照片"
      required={needed && !there}
      help={there ? `不上传时保留现有照片；${MEASURES}` : MEASURES}
    >
      <PhotoInput person={person} />
    </Field>
  )
}

const reporting = (arrival: Arrival | undefined, person: View | undefined): FormAction<Reported> => {
  const report = formAction(reportRegistration, `“${person?.name}”已报到`, arrival)
  return withOwn(
    { ...report, send: (values, request) => report.send({ ...values, identityVerified: true }, request) },
    person,
  )
}

interface ReportFormProps extends DrawerProps<View> {
  onReported: (person: View, reported: Reported) => void
}

/** 报到: the person is here; who they are was compared with their document, and what they brought is ticked. */
export const ReportForm = ({ record, onReported, ...drawer }: ReportFormProps) => {
  const late = useAllowed()(undoReport)
  const warnings = record ? reportWarnings(record, late) : []
  return (
    <FormDrawer<Arrival, Reported>
      {...drawer}
      record={record && atDesk(arrivalOf(record))}
      width={640}
      title={`办理报到 ${record?.name ?? ''}`}
      okText="报到"
      action={(arrival) => reporting(arrival, record)}
      reload={async (arrival, call) => atDesk(await reload(arrival, call))}
      onSaved={(reported) => record && onReported(record, reported)}
    >
      {warnings.length > 0 && (
        <Alert
          className="form-wide form-lead"
          type="warning"
          title="请先核对"
          content={
            <ul className="arrival-warnings">
              {warnings.map((each) => (
                <li key={each}>{each}</li>
              ))}
            </ul>
          }
        />
      )}
      {record && <Facts person={record} />}
      <Field name="verifyMethod" required help="本人与证件、照片一致后选择">
        <MethodChoice />
      </Field>
      <Field name="materials" label="已交材料" required={false}>
        <MaterialTicks />
      </Field>
      {record && <PhotoField person={record} needed />}
      {record && <OwnFields person={record} />}
    </FormDrawer>
  )
}

/** What somebody became who reported. */
export interface Arrived extends Reported {
  name: string
}

interface ArrivedDialogProps extends DrawerProps<Arrived> {
  onPrint: (id: number, name: string) => void
}

/** 学号 and 班级 of who has just reported, to be told and written down. */
export const ArrivedDialog = ({ visible, record, onClose, onPrint }: ArrivedDialogProps) => (
  <Modal
    title={`${record?.name ?? ''} 已报到`}
    visible={visible}
    onCancel={onClose}
    unmountOnExit
    footer={
      <Space>
        <Can do={printRegistration}>
          <Button
            onClick={() => {
              onClose()
              if (record) onPrint(record.id, record.name)
            }}
          >
            打印报到单
          </Button>
        </Can>
        <Button type="primary" onClick={onClose}>
          知道了
        </Button>
      </Space>
    }
  >
    <Descriptions
      column={1}
      size="large"
      labelStyle={{ width: 80 }}
      data={[
        {
          label: '学号',
          value: record?.studentNo ? (
            <>
              {record.studentNo}
              <CopyButton label="学号" value={record.studentNo} />
            </>
          ) : (
            '学号稍后统一编排'
          ),
        },
        { label: '班级', value: record?.className ?? '未分班' },
      ]}
    />
  </Modal>
)

const editing = (arrival: Arrival | undefined, person: View | undefined): FormAction<Saved> => {
  const isStudent = person?.status === 'reported'
  const edit = formAction(editRegistration, '已保存核验和材料', arrival)
  const bodyOf = (values: Partial<Arrival>) =>
    isStudent ? values : { ...values, identityVerified: Boolean(values.verifyMethod) }
  return withOwn({ ...edit, send: (values, request) => edit.send(bodyOf(values), request) }, person)
}

const Editing = fieldsOf(editRegistration)

/** 核验和材料: what was compared and handed in before the report; papers may also come after it. */
export const EditForm = ({ record, ...drawer }: DrawerProps<View>) => {
  const isStudent = record?.status === 'reported'
  return (
    <FormDrawer<Arrival, Saved>
      {...drawer}
      record={record && { ...arrivalOf(record), verifyMethod: record.verifyMethod ?? NONE }}
      width={640}
      title={`核验和材料 ${record?.name ?? ''}`}
      action={(arrival) => editing(arrival, record)}
      reload={reload}
    >
      {record && <Facts person={record} />}
      {isStudent ? (
        <p className="form-hint">已报到的人员只补充材料和本校字段；照片在学籍中更换。</p>
      ) : (
        <Field name="verifyMethod" help="未核验的，报到时再选择核验方式">
          <MethodChoice none="未核验" />
        </Field>
      )}
      <Field name="materials" label="已交材料" required={false}>
        <MaterialTicks />
      </Field>
      {record && !isStudent && <PhotoField person={record} needed={false} />}
      {record && <OwnFields person={record} />}
      {record?.status === 'reserved' && (
        <Editing
          name="attachment"
          help={`${record.attachmentName ? '不上传时保留现有材料；' : '还没有证明材料；'}pdf、jpg 或 png`}
        >
          <FileUpload type={3} purpose="registration" accept={PAPERS} />
        </Editing>
      )}
    </FormDrawer>
  )
}

const Many = fieldsOf(reportRegistrations)

const reportingMany = (ticked: Ticked | undefined): FormAction<Stepped> => {
  const report = formAction(reportRegistrations, afterwards(ticked, '批量报到已完成'), ticked?.rows)
  return {
    ...report,
    send: (values: { verifyMethod?: Method | '' }, request) =>
      report.send(values.verifyMethod ? { ...values, identityVerified: true } : {}, request),
  }
}

/** 批量报到: numbers are given in the order of the rule. */
export const ReportManyForm = ({ record, ...drawer }: DrawerProps<Ticked>) => (
  <FormDrawer<{ verifyMethod?: Method | '' }, Stepped>
    {...drawer}
    record={undefined}
    initial={{ verifyMethod: NONE }}
    title={`为${record?.count ?? 0}人办理报到`}
    okText="报到"
    action={() => reportingMany(record)}
    onSaved={(result) => {
      record?.done(result.failed)
      if (result.failed.length > 0) tellFailures('批量报到', result, record?.numberOf)
    }}
  >
    <Alert
      className="form-lead"
      type="info"
      content="报到后生成学籍、学号和账号；没有照片、未核验的，本校必填字段不全的，以及学校要求缴费而未缴费的会保留并说明原因。照片可在“录取数据”中批量导入。"
    />
    <Many name="verifyMethod" help="选择核验方式的，所选人员均按已核验登记">
      <MethodChoice none="只办理已核验的人员" />
    </Many>
  </FormDrawer>
)
