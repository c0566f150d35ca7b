import type { BulkResult } from '@/api/types/shared'
import { BasicSelect } from '@/basic_data/BasicSelect'
import { afterwards } from '@/kit/actions'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import type { DrawerProps } from '@/kit/useDrawer'
import { movePreRegistrations } from './api'
import { settled, type Ticked } from './ReviewForm'

const Field = fieldsOf(movePreRegistrations)

/** 调整站点: the ticked people to one site. */
export const MoveSite = ({ record, ...drawer }: DrawerProps<Ticked>) => (
  <FormDrawer<{ siteId?: number }, BulkResult>
    {...drawer}
    record={undefined}
    title={`调整${record?.count ?? 0}条预报名的站点`}
    action={() => formAction(movePreRegistrations, afterwards(record, '调整站点已完成'), record?.rows)}
    onSaved={settled('调整站点', record)}
  >
    <Field name="siteId" label="调整到站点" help="该站点须在批次中招收所报专业；已录取的不能调整">
      <BasicSelect type="site" />
    </Field>
  </FormDrawer>
)
