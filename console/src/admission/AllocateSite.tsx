import { Alert } from '@arco-design/web-react'
import type { DataOf } from '@/api/operation'
import { BasicSelect } from '@/basic_data/BasicSelect'
import { afterwards, type Selected } from '@/kit/actions'
import { tellFailures } from '@/kit/BulkBar'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import type { DrawerProps } from '@/kit/useDrawer'
import { allocateAdmissions } from './api'

/** The people whom a step is for; one person is named. */
export interface Ticked extends Selected<{ id: number; version: number }, object> {
  name?: string
  /** By what a person is known in a list of failures. */
  numberOf?: (row: { id: number }) => string | undefined
}

const Field = fieldsOf(allocateAdmissions)

/** 分配站点: the person, or the ticked people, to one site. */
export const AllocateSite = ({ record, ...drawer }: DrawerProps<Ticked>) => (
  <FormDrawer<{ siteId?: number }, DataOf<typeof allocateAdmissions>>
    {...drawer}
    record={undefined}
    title={record?.name ? `分配站点 ${record.name}` : `为${record?.count ?? 0}人分配站点`}
    action={() => formAction(allocateAdmissions, afterwards(record, '分配站点已完成'), record?.rows)}
    onSaved={(result) => {
      record?.done(result.failed)
      if (result.failed.length > 0) tellFailures('分配站点', result, record?.numberOf)
    }}
  >
    {record && record.count > 1 && (
      <Alert
        className="form-lead"
        type="info"
        content="按总分从高到低分配；站点已满时按学校的设置提醒或拒绝，被拒绝的会说明原因。"
      />
    )}
    <Field name="siteId" required help="该站点须已核定该专业的招生计划">
      <BasicSelect type="site" />
    </Field>
  </FormDrawer>
)
