import type { RowOf } from '@/api/operation'
import type { Saved } from '@/api/types/shared'
import { BasicSelect, known } from '@/basic_data/BasicSelect'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { type FormAction, formAction } from '@/kit/formAction'
import { formatNumber } from '@/kit/format'
import { tellLeftOut } from '@/kit/leftOut'
import type { DrawerProps } from '@/kit/useDrawer'
import {
  copyEnrollmentBatch,
  editEnrollmentBatch,
  type listEnrollmentBatches,
  saveEnrollmentBatch,
  viewEnrollmentBatch,
} from './api'

type Batch = RowOf<typeof listEnrollmentBatches>
type Copied = RowOf<typeof copyEnrollmentBatch>

const Field = fieldsOf(saveEnrollmentBatch)

const saving = (batch: Batch | undefined): FormAction<Saved> =>
  batch
    ? formAction(editEnrollmentBatch, '已保存招生批次', batch)
    : formAction(saveEnrollmentBatch, '已新增招生批次，请设置招生专业')

/** 新增, 编辑. */
export const BatchForm = ({ record, ...drawer }: DrawerProps<Batch>) => (
  <FormDrawer<Batch, Saved>
    {...drawer}
    record={record}
    title={record ? `编辑招生批次 ${record.name}` : '新增招生批次'}
    action={saving}
    reload={(batch, call) => call(viewEnrollmentBatch, { query: { id: batch.id } })}
    keep={['gradeId', 'siteApplyEndsAt', 'reportStartsAt', 'reportEndsAt', 'enrolledOn']}
  >
    <Field name="code" />
    <Field name="name" />
    <Field name="year" />
    <Field name="season" />
    <Field name="gradeId" help="已有招生专业的批次不能更换年级">
      <BasicSelect type="grade" known={known(record?.gradeId, record?.gradeName)} />
    </Field>
    <Field name="enrolledOn" />
    <Field name="siteApplyEndsAt" />
    <Field name="reportStartsAt" />
    <Field name="reportEndsAt" />
  </FormDrawer>
)

const Copy = fieldsOf(copyEnrollmentBatch)

/** 复制: what was filed for the other grade, with codes and maps. */
export const CopyForm = ({ record, ...drawer }: DrawerProps<Batch>) => (
  <FormDrawer<{ gradeId?: number; code?: string; name?: string }, Copied>
    {...drawer}
    record={undefined}
    title={record ? `复制招生批次 ${record.name}` : ''}
    action={() =>
      formAction(copyEnrollmentBatch, ({ copied }) => `已复制${formatNumber(copied)}个专业，新批次为草稿`, {
        id: record?.id,
      })
    }
    onSaved={({ copied, skipped }) =>
      tellLeftOut(`已复制${formatNumber(copied)}个专业，未复制${formatNumber(skipped.length)}个`, skipped)
    }
  >
    <p className="form-hint">只复制新年级已备案的专业；时间按入学年份顺延，字段映射一并复制。</p>
    <Copy name="gradeId">
      <BasicSelect type="grade" />
    </Copy>
    <Copy name="code" />
    <Copy name="name" />
  </FormDrawer>
)
