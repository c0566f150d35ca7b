import { Descriptions, Typography } from '@arco-design/web-react'
import type { RowOf } from '@/api/operation'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import { SchoolsSelect } from '@/schools/SchoolsSelect'
import { saveMachineToken } from '../api'
import { ShownOnce } from '../ShownOnce'
import { ExpiryInput } from './ExpiryInput'
import { PermissionPick } from './PermissionPick'
import { WhenSchoolsListed } from './WhenSchoolsListed'

type Saved = RowOf<typeof saveMachineToken>

const Field = fieldsOf(saveMachineToken)

/** A secret, shown this once. */
export const IssuedSecret = ({ secret, onClose }: { secret: string; onClose: () => void }) => (
  <ShownOnce
    title="机器令牌已签发"
    width={560}
    warning="请现在保存令牌，关闭后不再显示"
    content="程序在请求头 token 中携带它；进入院校时另在请求头 schoolId 中写明院校编号。"
    text={secret}
    name="令牌"
    onClose={onClose}
  >
    <Descriptions column={1} data={[{ label: '令牌', value: <Typography.Text code>{secret}</Typography.Text> }]} />
  </ShownOnce>
)

interface MachineTokenFormProps {
  onIssued: (secret: string) => void
  onClose: () => void
}

/** A new token; it cannot be changed afterwards, only switched off or deleted. */
export const MachineTokenForm = ({ onIssued, onClose }: MachineTokenFormProps) => (
  <FormDrawer<{ id: number; version: number }, Saved>
    visible
    record={undefined}
    onClose={onClose}
    onSaved={({ secret }) => secret && onIssued(secret)}
    width={720}
    title="签发机器令牌"
    initial={{ schoolScope: 'all', permissionCodes: [] } as object}
    action={() => formAction(saveMachineToken, '已签发机器令牌')}
  >
    <Field name="name" placeholder="如 terraform" />
    <Field name="expiresAt" label="有效期至" required help="最长2年，到期前请签发新的令牌">
      <ExpiryInput placeholder="请选择日期" />
    </Field>
    <Field name="schoolScope" help="全部是指您当时可管的全部院校" />
    <WhenSchoolsListed>
      <Field name="schoolIds" required>
        <SchoolsSelect />
      </Field>
    </WhenSchoolsListed>
    <Field name="remark" />
    <Field name="permissionCodes" help="使用时与您当时的权限取交集">
      <PermissionPick />
    </Field>
  </FormDrawer>
)
