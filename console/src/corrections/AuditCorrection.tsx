import { Form } from '@arco-design/web-react'
import type { RowOf } from '@/api/operation'
import type { Warned } from '@/api/types/shared'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import { Loaded } from '@/kit/Loaded'
import { labelOf } from '@/kit/labels'
import { Word } from '@/kit/Status'
import type { DrawerProps } from '@/kit/useDrawer'
import { auditCorrection, type listCorrections, viewCorrection } from './api'
import { Compared, Evidence, Steps, Warnings } from './Compared'
import { useCorrection } from './CorrectionFile'
import { statusTones } from './tones'
import './corrections.css'

type Row = RowOf<typeof listCorrections>
type View = RowOf<typeof viewCorrection>
type Decision = {
  id: number
  version: number
  result?: 'pass' | 'reject'
  provinceDocNo?: string | null
  remark?: string | null
}

const Field = fieldsOf(auditCorrection)

/** What is decided about: old and new values beside what proves them. */
const Subject = ({ correction }: { correction: View }) => (
  <div className="correction-subject">
    <p className="form-lead">
      <Word tone={statusTones[correction.status]}>{labelOf(viewCorrection, 'status', correction.status)}</Word>{' '}
      {labelOf(viewCorrection, 'kind', correction.kind)} · {correction.majorName} · {correction.siteName} ·{' '}
      {correction.reason}
    </p>
    <Warnings correction={correction} />
    <div className="correction-audit">
      <div>
        <Compared correction={correction} />
        <Steps correction={correction} />
      </div>
      <Evidence correction={correction} />
    </div>
  </div>
)

/** The fields that the decision needs. */
const Answer = ({ status }: Pick<View, 'status'>) => {
  const { form } = Form.useFormContext()
  const result: Decision['result'] = Form.useWatch('result', form)
  const rejects = result === 'reject'
  return (
    <>
      <Field name="result" label="审核结果" />
      {status === 'pending_province' && !rejects && <Field name="provinceDocNo" required help="省教育厅批复的文号" />}
      <Field
        name="remark"
        label={rejects ? '原因' : '意见'}
        required={rejects}
        help={rejects ? '申请人可以看到' : undefined}
      />
    </>
  )
}

/** 审核: the school's decision, and the province's as its paper says. */
export const AuditCorrection = ({ record, ...drawer }: DrawerProps<Row>) => {
  const view = useCorrection(drawer.visible ? record?.id : undefined)
  return (
    <FormDrawer<Decision, Warned>
      {...drawer}
      record={record && { id: record.id, version: record.version, result: 'pass' }}
      width={1080}
      title={`审核信息更正 ${record?.name ?? ''}`}
      action={(decision) => formAction(auditCorrection, '已审核', decision)}
    >
      <Loaded query={view} rows={8}>
        {(correction) => (
          <>
            <Subject correction={correction} />
            <Answer status={correction.status} />
          </>
        )}
      </Loaded>
    </FormDrawer>
  )
}
