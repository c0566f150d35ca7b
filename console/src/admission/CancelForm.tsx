import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import type { DrawerProps } from '@/kit/useDrawer'
import type { Row } from './admissionRules'
import { cancelAdmission } from './api'

const Field = fieldsOf(cancelAdmission)

/** 注销录取 of whom the authority withdrew, 恢复录取 of whom it did not after all, with the reason. */
export const CancelForm = ({ record, ...drawer }: DrawerProps<Row>) => {
  const restores = record?.status === 'cancelled'
  const verb = restores ? '恢复' : '注销'
  return (
    <FormDrawer<{ remark?: string | null }, { id: number }>
      {...drawer}
      record={undefined}
      title={`${verb}录取 ${record?.name ?? ''}`}
      okText={`${verb}录取`}
      danger={!restores}
      action={() =>
        formAction(cancelAdmission, `已${verb}“${record?.name}”的录取`, {
          id: record?.id,
          version: record?.version,
          action: restores ? 'restore' : 'cancel',
        })
      }
    >
      <Field
        name="remark"
        label={`${verb}原因`}
        required
        help={
          restores
            ? '2至200个字符；恢复后为待分配，重新匹配预报名'
            : '2至200个字符；注销后释放站点名额，预报名恢复为已网报'
        }
      />
    </FormDrawer>
  )
}
