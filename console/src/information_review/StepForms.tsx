import { Form, Select } from '@arco-design/web-react'
import type { Saved, Stepped, Warned } from '@/api/types/shared'
import { afterwards, type Selected } from '@/kit/actions'
import { tellFailures } from '@/kit/BulkBar'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { type FormAction, formAction } from '@/kit/formAction'
import type { DrawerProps } from '@/kit/useDrawer'
import {
  rejectAdmissionInformation,
  reviewAdmissionCommitment,
  reviewAdmissionCommitments,
  writeGraduationOpinions,
} from './api'
import type { Group } from './groups'
import type { Row } from './informationRules'

/** The people whom a step is for. */
export interface Ticked extends Selected<{ id: number; version: number }, object> {
  /** By what a person is known in a list of failures. */
  numberOf?: (row: { id: number }) => string | undefined
}

type OfGroup<Record> = DrawerProps<Record> & { group: Group }

const REASON = '2至200个字符，学生可以看到'

const itemOf = (row: Row | undefined) => ({ id: row?.id, version: row?.version })

const Rejected = fieldsOf(rejectAdmissionInformation)

/** 退回 of one form with the reason; the student mends it and hands it in once more. */
export const RejectForm = ({ group, record, ...drawer }: OfGroup<Row>) => (
  <FormDrawer<{ remark?: string }, Saved>
    {...drawer}
    record={undefined}
    title={`退回${group.form} ${record?.name ?? ''}`}
    okText="退回"
    danger
    action={() => formAction(group.reject, `已退回“${record?.name}”`, itemOf(record))}
  >
    <Rejected name="remark" label="原因" required help={REASON} />
  </FormDrawer>
)

const Reviewed = fieldsOf(reviewAdmissionCommitment)

/** 撤销通过 of one form with the reason. */
export const TakeBackForm = ({ group, record, ...drawer }: OfGroup<Row>) => (
  <FormDrawer<{ remark?: string }, Warned>
    {...drawer}
    record={undefined}
    title={`撤销通过 ${record?.name ?? ''}`}
    okText="撤销通过"
    danger
    action={() => formAction(group.review, `已撤销“${record?.name}”的通过`, { ...itemOf(record), result: 'return' })}
  >
    <Reviewed
      name="remark"
      label="原因"
      required
      help={
        group.kind === 'graduation_information'
          ? `${REASON}；已毕业的不能撤销`
          : `${REASON}；已上报或已注册学籍的不能撤销`
      }
    />
  </FormDrawer>
)

interface ConclusionProps {
  value?: string
  onChange?: (conclusion: string | undefined) => void
  'aria-label'?: string
}

/** Why somebody is not qualified yet; who is, is not returned. */
const Conclusion = (control: ConclusionProps) => (
  <Select
    {...control}
    placeholder="不填写"
    allowClear
    options={(reviewAdmissionCommitment.fields.conclusion?.options ?? [])
      .filter(([value]) => value !== 'qualified')
      .map(([value, label]) => ({ value, label }))}
  />
)

const Returned = fieldsOf(reviewAdmissionCommitments)

/** 批量退回 with one reason for all. */
export const ReturnManyForm = ({ group, record, ...drawer }: OfGroup<Ticked>) => (
  <FormDrawer<{ remark?: string | null; conclusion?: string }, Stepped>
    {...drawer}
    record={undefined}
    title={`退回${record?.count ?? 0}人的${group.form}`}
    okText="退回"
    danger
    action={() =>
      formAction(group.reviewMany, afterwards(record, '批量退回已完成'), { ...record?.rows, result: 'return' })
    }
    onSaved={(result) => {
      record?.done(result.failed)
      if (result.failed.length > 0) tellFailures('批量退回', result, record?.numberOf)
    }}
  >
    {group.kind === 'admission_commitment' && (
      <Returned name="conclusion" label="审查结论" help="不合格的不进入学信网文件，可发起退学">
        <Conclusion />
      </Returned>
    )}
    <Returned name="remark" label="原因" required help={`${REASON}；未提交的会保留并说明原因`} />
  </FormDrawer>
)

interface Opinions {
  classOpinion?: string | null
  siteOpinion?: string | null
  schoolOpinion?: string | null
}

/** 批量鉴定意见 or those of one student. */
const opining = (ticked: Ticked | undefined): FormAction<Stepped> => {
  const write = formAction(writeGraduationOpinions, afterwards(ticked, '已保存鉴定意见'), ticked?.rows)
  // What is left empty stays as it is with each.
  const bodyOf = (typed: Opinions) =>
    Object.fromEntries(Object.entries(typed).filter(([, text]) => typeof text === 'string' && text.trim()))
  return { ...write, send: (typed: Opinions, request) => write.send(bodyOf(typed), request) }
}

const Opinion = fieldsOf(writeGraduationOpinions)

/** At least one of the three is written. */
const AtLeastOne = () => {
  const { form } = Form.useFormContext()
  const texts: Opinions = Form.useWatch(['classOpinion', 'siteOpinion', 'schoolOpinion'], form) ?? {}
  const isEmpty = Object.values(texts).every((text) => !text?.trim())
  return (
    <Form.Item
      field="any"
      rules={[{ validator: (_, report) => report(isEmpty ? '请至少填写一项鉴定意见' : undefined) }]}
      noStyle={{ showErrorTip: true }}
    >
      <span />
    </Form.Item>
  )
}

export const OpinionForm = ({ record, ...drawer }: DrawerProps<Ticked>) => (
  <FormDrawer<Opinions, Stepped>
    {...drawer}
    record={undefined}
    title={`填写${record?.count ?? 0}人的鉴定意见`}
    action={() => opining(record)}
    onSaved={(result) => {
      record?.done(result.failed)
      if (result.failed.length > 0) tellFailures('鉴定意见', result, record?.numberOf)
    }}
  >
    <p className="form-hint">填写的意见写入所选学生的登记表，原有意见被替换；不填写的保持不变。</p>
    <Opinion name="classOpinion" label="班级鉴定" help="" />
    <Opinion name="siteOpinion" label="站点意见" help="" />
    <Opinion name="schoolOpinion" label="院校意见" help="" />
    <AtLeastOne />
  </FormDrawer>
)
