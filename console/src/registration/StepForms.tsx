import { Alert, Form, Radio, Select } from '@arco-design/web-react'
import { listOptions } from '@/api/infra'
import { useOptions } from '@/api/options'
import type { Saved, Stepped, Warned } from '@/api/types/shared'
import { BatchSelect } from '@/enrolment/BatchSelect'
import { afterwards, type Selected } from '@/kit/actions'
import { tellFailures } from '@/kit/BulkBar'
import { fieldsOf } from '@/kit/Field'
import { FileUpload } from '@/kit/FileUpload'
import { FormDrawer } from '@/kit/FormDrawer'
import { type FormAction, formAction } from '@/kit/formAction'
import type { DrawerProps } from '@/kit/useDrawer'
import { abandonRegistrations, reserveRegistration, resumeRegistration, revokeRegistration, undoReport } from './api'
import { majorsOfLevel, type Row, type View } from './registrationRules'

/** The people whom a step is for; one person is named. */
export interface Ticked extends Selected<{ id: number; version: number }, object> {
  name?: string
  /** By what a person is known in a list of failures. */
  numberOf?: (row: { id: number }) => string | undefined
}

/** Papers that say why. */
export const PAPERS = '.pdf,.jpg,.jpeg,.png'
const REASON = '2至200个字符'

const itemOf = (row: Row | undefined) => ({ id: row?.id, version: row?.version })

const Reserve = fieldsOf(reserveRegistration)

/** 保留入学资格: the place is kept until a day. */
export const ReserveForm = ({ record, ...drawer }: DrawerProps<Row>) => (
  <FormDrawer<{ reserveReason?: string; reserveUntil?: string; reason?: string; attachment?: string }, Saved>
    {...drawer}
    record={undefined}
    title={`保留入学资格 ${record?.name ?? ''}`}
    okText="保留"
    action={() => formAction(reserveRegistration, `已保留“${record?.name}”的入学资格`, itemOf(record))}
  >
    <Reserve name="reserveReason" />
    <Reserve name="reserveUntil" help="最长至入学日期后一年，应征入伍为退役后两年；到期未恢复的自动放弃" />
    <Reserve name="reason" label="说明" />
    <Reserve name="attachment" help="申请和证明材料，pdf、jpg 或 png">
      <FileUpload type={3} purpose="registration" accept={PAPERS} />
    </Reserve>
  </FormDrawer>
)

const Abandon = fieldsOf(abandonRegistrations)

/** 放弃入学资格 of one or of several, with the reason. */
export const AbandonForm = ({ record, ...drawer }: DrawerProps<Ticked>) => (
  <FormDrawer<{ reason?: string | null }, Stepped>
    {...drawer}
    record={undefined}
    title={record?.name ? `放弃入学资格 ${record.name}` : `${record?.count ?? 0}人放弃入学资格`}
    okText="放弃"
    danger
    action={() => formAction(abandonRegistrations, afterwards(record, '已登记放弃入学资格'), record?.rows)}
    onSaved={(result) => {
      record?.done(result.failed)
      if (result.failed.length > 0) tellFailures('放弃入学资格', result, record?.numberOf)
    }}
  >
    <Abandon name="reason" required help={`${REASON}；放弃后不能再报到`} />
  </FormDrawer>
)

const Undo = fieldsOf(undoReport)

/** 撤销报到: the student is none any more, and their number is not given again. */
export const UndoForm = ({ record, ...drawer }: DrawerProps<Row>) => (
  <FormDrawer<{ reason?: string | null }, Saved>
    {...drawer}
    record={undefined}
    title={`撤销报到 ${record?.name ?? ''}`}
    okText="撤销报到"
    danger
    action={() => formAction(undoReport, `已撤销“${record?.name}”的报到`, itemOf(record))}
  >
    <Alert
      className="form-lead"
      type="warning"
      content={`学籍和账号一并删除${record?.studentNo ? `，学号${record.studentNo}不再使用` : ''}；已有业务数据的不能撤销。`}
    />
    <Undo name="reason" required help={REASON} />
  </FormDrawer>
)

const Revoke = fieldsOf(revokeRegistration)

/** 取消入学资格, for good. */
export const RevokeForm = ({ record, ...drawer }: DrawerProps<Row>) => (
  <FormDrawer<{ remark?: string | null; attachment?: string }, Saved>
    {...drawer}
    record={undefined}
    title={`取消入学资格 ${record?.name ?? ''}`}
    okText="取消资格"
    danger
    action={() => formAction(revokeRegistration, `已取消“${record?.name}”的入学资格`, itemOf(record))}
  >
    <Alert className="form-lead" type="warning" content="取消后不能恢复，不计入应到人数。" />
    <Revoke name="remark" required help={REASON} />
    <Revoke name="attachment" help="核查结论等，pdf、jpg 或 png">
      <FileUpload type={3} purpose="registration" accept={PAPERS} />
    </Revoke>
  </FormDrawer>
)

/** Where somebody comes back to. */
interface Return {
  way: 'here' | 'later'
  batchId?: number
  majorId?: number
}

interface MajorChoiceProps {
  batchId: number
  person: View
}

/** The majors of the later batch: one's own, unless it is not recruited for there. */
const MajorChoice = ({ batchId, person }: MajorChoiceProps) => {
  const offered = useOptions(listOptions, { type: 'enrollmentMajor', parentId: batchId, enabled: true })
  const majors = majorsOfLevel(offered.data ?? [], person.levelId)
  const stays = majors.some(({ value }) => value === person.majorId)
  const missing = offered.isSuccess && !stays
  return (
    <Form.Item
      field="majorId"
      label="专业"
      required={missing}
      rules={missing ? [{ required: true, message: '请选择专业' }] : undefined}
      extra={
        missing
          ? `该批次没有招收“${person.majorName}”，请选择同层次的其他专业`
          : `不选时保持原专业“${person.majorName}”`
      }
    >
      <Select aria-label="专业" placeholder="请选择" allowClear loading={offered.isFetching} options={majors} />
    </Form.Item>
  )
}

const Later = ({ person }: { person: View }) => {
  const { form } = Form.useFormContext()
  const way: Return['way'] | undefined = Form.useWatch('way', form)
  const batchId: number | undefined = Form.useWatch('batchId', form)
  if (way !== 'later') return null
  return (
    <>
      <Form.Item
        field="batchId"
        label="转入批次"
        rules={[{ required: true, message: '请选择转入批次' }]}
        extra="入学日期在原批次之后、进行中的招生批次"
      >
        <BatchSelect aria-label="转入批次" except={person.batchId} />
      </Form.Item>
      {batchId !== undefined && <MajorChoice key={batchId} batchId={batchId} person={person} />}
    </>
  )
}

const resuming = (person: View | undefined): FormAction<Warned> => {
  const resume = formAction(resumeRegistration, `已恢复“${person?.name}”的入学资格`, {
    id: person?.id,
    version: person?.version,
  })
  const bodyOf = ({ way, batchId, majorId }: Partial<Return>) => (way === 'later' ? { batchId, majorId } : {})
  return { ...resume, send: (values, request) => resume.send(bodyOf(values), request) }
}

/** 恢复: whose place was kept comes now, or with a later batch. */
export const ResumeForm = ({ record, ...drawer }: DrawerProps<View>) => (
  <FormDrawer<Return, Warned>
    {...drawer}
    record={undefined}
    initial={{ way: 'here' }}
    title={`恢复入学资格 ${record?.name ?? ''}`}
    okText="恢复"
    action={() => resuming(record)}
  >
    {record && (
      <p className="form-hint">
        {record.batchName} · {record.levelName} {record.majorName} · 保留至 {record.reserveUntil}
      </p>
    )}
    <Form.Item field="way" label="恢复到">
      <Radio.Group
        aria-label="恢复到"
        direction="vertical"
        options={[
          { value: 'here', label: '原批次，恢复为待报到' },
          { value: 'later', label: '之后的批次，随新批次报到' },
        ]}
      />
    </Form.Item>
    {record && <Later person={record} />}
  </FormDrawer>
)
