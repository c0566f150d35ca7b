import { Radio } from '@arco-design/web-react'
import { listOptions } from '@/api/infra'
import type { RowOf } from '@/api/operation'
import type { Saved } from '@/api/types/shared'
import { BasicSelect, basicOptions, known } from '@/basic_data/BasicSelect'
import { DateTimeInput } from '@/kit/DateTimeInput'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { type FormAction, formAction } from '@/kit/formAction'
import { formatNumber } from '@/kit/format'
import { tellLeftOut } from '@/kit/leftOut'
import { RichText } from '@/kit/RichText'
import { SeveralOptions } from '@/kit/SeveralOptions'
import type { DrawerProps } from '@/kit/useDrawer'
import {
  copyPreRegistrationBatch,
  editPreRegistrationBatch,
  type listPreRegistrationBatches,
  savePreRegistrationBatch,
  viewPreRegistrationBatch,
} from './api'

type Batch = RowOf<typeof listPreRegistrationBatches>
type View = RowOf<typeof viewPreRegistrationBatch>
type Copied = RowOf<typeof copyPreRegistrationBatch>

const Field = fieldsOf(savePreRegistrationBatch)

/** Characters; the server refuses more. */
const NOTICE = 20_000

interface AuditChoiceProps {
  value?: boolean
  onChange?: (value: boolean) => void
  'aria-label'?: string
}

const AuditChoice = (props: AuditChoiceProps) => (
  <Radio.Group {...props}>
    <Radio value={true}>提交后审核</Radio>
    <Radio value={false}>提交即通过</Radio>
  </Radio.Group>
)

const saving = (batch: View | undefined): FormAction<Saved> =>
  batch
    ? formAction(editPreRegistrationBatch, '已保存预报名批次', batch)
    : formAction(savePreRegistrationBatch, '已新增预报名批次，请设置专业站点')

interface BatchFormProps extends DrawerProps<View> {
  /** Goes on with what the new batch offers: without it nobody can register. */
  onNew: (id: number) => void
}

/** 新增, 编辑. */
export const BatchForm = ({ record, onNew, ...drawer }: BatchFormProps) => (
  <FormDrawer<View, Saved>
    {...drawer}
    record={record}
    width={760}
    title={record ? `编辑预报名批次 ${record.name}` : '新增预报名批次'}
    initial={{ enabled: true }}
    action={saving}
    reload={(batch, call) => call(viewPreRegistrationBatch, { query: { id: batch.id } })}
    keep={['gradeId', 'levelIds', 'startsAt', 'endsAt', 'needAudit']}
    onSaved={({ id }, again) => !record && !again && onNew(id)}
  >
    <Field name="code" />
    <Field name="name" />
    <Field name="gradeId" help="已有预报名的批次不能更换年级">
      <BasicSelect type="grade" known={known(record?.gradeId, record?.gradeName)} />
    </Field>
    <Field name="levelIds">
      <SeveralOptions
        label="招生层次"
        options={listOptions}
        query={basicOptions('level')}
        placeholder="请选择"
        known={record?.levels.map(({ id, name }) => ({ code: id, desc: name }))}
      />
    </Field>
    <Field name="startsAt" />
    <Field name="endsAt" help="到这一刻不再接受报名；只填日期时当天全天可报">
      <DateTimeInput dayEnd />
    </Field>
    <Field name="needAudit">
      <AuditChoice />
    </Field>
    <Field name="enabled" />
    <Field name="notice">
      <RichText most={NOTICE} />
    </Field>
  </FormDrawer>
)

const Copy = fieldsOf(copyPreRegistrationBatch)

/** 复制到新年级: levels, majors and sites for the next cohort. */
export const CopyForm = ({ record, ...drawer }: DrawerProps<Batch>) => (
  <FormDrawer<{ gradeId?: number; code?: string; name?: string }, Copied>
    {...drawer}
    record={undefined}
    title={record ? `复制到新年级 ${record.name}` : ''}
    action={() =>
      formAction(
        copyPreRegistrationBatch,
        ({ copied }) => `已复制${formatNumber(copied)}个专业，新批次为停用，请核对后启用`,
        { id: record?.id },
      )
    }
    onSaved={({ copied, skipped }) => tellLeftOut(`已复制${copied}个专业，未复制${skipped.length}个`, skipped)}
  >
    <p className="form-hint">
      复制招生层次、专业、站点和报名须知，起止时间按入学年份顺延；已停用的专业和已停止招生的站点不复制。
    </p>
    <Copy name="gradeId">
      <BasicSelect type="grade" />
    </Copy>
    <Copy name="code" />
    <Copy name="name" />
  </FormDrawer>
)
