import type { Caller } from '@/api/client'
import type { Saved, Stepped, SteppedOfSchools } from '@/api/types/shared'
import { afterwards, type Selected } from '@/kit/actions'
import { tellFailures } from '@/kit/BulkBar'
import { fieldsOf } from '@/kit/Field'
import { FileUpload } from '@/kit/FileUpload'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import { formatNumber } from '@/kit/format'
import type { DrawerProps } from '@/kit/useDrawer'
import { dropSelections, exemptSelection, rejectSelections, viewSelection } from './api'
import { nameOf, type Selection } from './selectionRules'

/** The selections that a form is for. */
export interface Ticked extends Selected<{ id: number; version: number }, object> {
  shown: readonly Selection[]
}

const REASON = '2至200个字符，学生可以看到'

const titleOf = (verb: string, ticked: Ticked | undefined) => {
  const [only] = ticked?.count === 1 ? ticked.shown : []
  return only ? `${verb} ${nameOf(only)}` : `${verb}${formatNumber(ticked?.count ?? 0)}条选课`
}

/** By which number a student is known in a list of failures. */
const numberOf =
  (ticked: Ticked | undefined) =>
  ({ id }: { id: number }) =>
    ticked?.shown.find((row) => row.id === id)?.studentNo ?? undefined

const Dropped = fieldsOf(dropSelections)

/** 退选 with the reason. */
export const DropForm = ({ record: ticked, ...drawer }: DrawerProps<Ticked>) => (
  <FormDrawer<{ reason?: string }, SteppedOfSchools>
    {...drawer}
    record={undefined}
    title={titleOf('退选', ticked)}
    okText="退选"
    danger
    action={() => formAction(dropSelections, afterwards(ticked, '已退选'), ticked?.rows)}
    onSaved={(answer) => {
      ticked?.done(answer.failed)
      if (answer.failed.length > 0) tellFailures('退选', answer, numberOf(ticked))
    }}
  >
    <p className="form-hint">
      退选后不再参加这门课程的学习和考核，学习进度保留，可以重新补选；成绩已提交的会保留并说明原因。
    </p>
    <Dropped name="reason" help={REASON} />
  </FormDrawer>
)

const Rejected = fieldsOf(rejectSelections)

/** 驳回 of what students selected by themselves. */
export const RejectForm = ({ record: ticked, ...drawer }: DrawerProps<Ticked>) => (
  <FormDrawer<{ reason?: string }, Stepped>
    {...drawer}
    record={undefined}
    title={titleOf('驳回', ticked)}
    okText="驳回"
    danger
    action={() => formAction(rejectSelections, afterwards(ticked, '已驳回'), ticked?.rows)}
    onSaved={(answer) => {
      ticked?.done(answer.failed)
      if (answer.failed.length > 0) tellFailures('驳回', answer, numberOf(ticked))
    }}
  >
    <p className="form-hint">只驳回待审核的，学生可以在选课时间内另选；其他的会保留并说明原因。</p>
    <Rejected name="reason" help={REASON} />
  </FormDrawer>
)

const Exempted = fieldsOf(exemptSelection)

interface Exemption {
  id: number
  version: number
  reason?: string
  fileKey?: string
}

/** What is typed stays; the version is that of now. */
const reload = async (exemption: Exemption, call: Caller): Promise<Exemption> => {
  const { version } = await call(viewSelection, { query: { id: exemption.id } })
  return { ...exemption, version }
}

/** 免修 with what proves it. */
export const ExemptForm = ({ record: selection, ...drawer }: DrawerProps<Selection>) => (
  <FormDrawer<Exemption, Saved>
    {...drawer}
    record={selection && { id: selection.id, version: selection.version }}
    title={`免修 ${selection ? nameOf(selection) : ''}`}
    okText="登记免修"
    action={(held) => formAction(exemptSelection, `已登记${selection ? nameOf(selection) : ''}免修`, held)}
    reload={reload}
  >
    <p className="form-hint">
      免修的课程不再学习和考核，学分计入已获学分；登记后不能撤回，请核对学生、课程和证明后再登记。
    </p>
    <Exempted name="reason" help={REASON} />
    <Exempted name="fileKey" label="证明文件" help="成绩单、合格证书或审批表，pdf 或图片">
      <FileUpload type={3} accept=".pdf,.jpg,.jpeg,.png" />
    </Exempted>
  </FormDrawer>
)
