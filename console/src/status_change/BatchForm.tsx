import { listOptions } from '@/api/infra'
import type { RowOf } from '@/api/operation'
import type { Saved } from '@/api/types/shared'
import { basicOptions } from '@/basic_data/BasicSelect'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { type FormAction, formAction } from '@/kit/formAction'
import { SeveralOptions } from '@/kit/SeveralOptions'
import type { DrawerProps } from '@/kit/useDrawer'
import { editChangeBatch, type listChangeBatches, saveChangeBatch, viewChangeBatch } from './api'

type Batch = RowOf<typeof listChangeBatches>

const Field = fieldsOf(saveChangeBatch)

const saving = (batch: Batch | undefined): FormAction<Saved> =>
  batch ? formAction(editChangeBatch, '已保存异动批次', batch) : formAction(saveChangeBatch, '已新增异动批次')

const knownGrades = (batch: Batch | undefined) =>
  batch?.gradeIds.map((code, at) => ({ code, desc: batch.gradeNames[at] ?? `编号${code}` }))

/** 新增, 编辑. */
export const BatchForm = ({ record, ...drawer }: DrawerProps<Batch>) => (
  <FormDrawer<Batch, Saved>
    {...drawer}
    record={record}
    width={760}
    title={record ? `编辑异动批次 ${record.name}` : '新增异动批次'}
    initial={{ siteReview: true, clientEntry: false, enabled: true, gradeIds: [] }}
    action={saving}
    reload={(batch, call) => call(viewChangeBatch, { query: { id: batch.id } })}
    keep={['types', 'gradeIds', 'startsAt', 'endsAt', 'effectiveOn', 'siteReview', 'clientEntry']}
  >
    <Field name="code" />
    <Field name="name" />
    <Field name="types" help="受理的异动类型" />
    <Field name="gradeIds" help="不选时受理所有年级">
      <SeveralOptions label="年级" options={listOptions} query={basicOptions('grade')} known={knownGrades(record)} />
    </Field>
    <Field name="startsAt" />
    <Field name="endsAt" help="到这一刻不再受理；最后一天全天受理时选次日零点" />
    <Field name="effectiveOn" help="不填时批准当日生效" />
    <Field name="siteReview" help="开启时先由学生所在站点审核，再由学校审批" />
    <Field name="clientEntry" help="开启时学生可在学员端自行申请" />
    <Field name="enabled" />
  </FormDrawer>
)
