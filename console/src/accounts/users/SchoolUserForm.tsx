import { Form } from '@arco-design/web-react'
import { useState } from 'react'
import { call, type Requester } from '@/api/client'
import { ApiError } from '@/api/errors'
import type { BodyOf, RowOf } from '@/api/operation'
import { confirm } from '@/kit/confirm'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import { OptionSelect } from '@/kit/OptionSelect'
import { tidied } from '@/kit/rules'
import type { DrawerProps } from '@/kit/useDrawer'
import { listAvailableSchools } from '@/schools/api'
import { schoolOptions } from '@/schools/SchoolsSelect'
import { bindSchoolUser, editSchoolUser, saveSchoolUser, viewSchoolUser } from '../api'
import { ExpiryInput } from './ExpiryInput'
import { InitialPassword, type Issued } from './InitialPassword'
import { chosenScopes, RoleScopes } from './RoleScopes'
import { RoleSelect } from './RoleSelect'

export type SchoolUser = RowOf<typeof viewSchoolUser>
type NewSchoolUser = BodyOf<typeof saveSchoolUser>
type Saved = { id: number; initialPassword?: string | null; done?: string }

const Field = fieldsOf(saveSchoolUser)

/** The schools that an operator may act for, one of them. */
export const SchoolSelect = (props: {
  value?: number
  onChange?: (id: number | undefined) => void
  'aria-label'?: string
}) => (
  <OptionSelect {...props} label={props['aria-label'] ?? '院校'} options={listAvailableSchools} query={schoolOptions} />
)

/** The roles of the school that was chosen above; inside a school, of that. */
export const RolesOfChosenSchool = ({
  inside,
  ...props
}: {
  inside: boolean
  value?: number[]
  onChange?: (ids: number[]) => void
  'aria-label'?: string
}) => {
  const { form } = Form.useFormContext()
  const school: number | undefined = Form.useWatch('schoolId', form)
  return <RoleSelect {...props} of={{ school: inside ? undefined : school }} />
}

interface Offer {
  userId: number
  realNameMasked: string
}

/** Somebody who has an account already: the server's offer to bind it. */
const offerIn = (error: unknown): Offer | undefined => {
  if (!(error instanceof ApiError) || error.code !== 409) return undefined
  const { data } = error
  if (typeof data !== 'object' || data === null) return undefined
  if (!('userId' in data && typeof data.userId === 'number')) return undefined
  if (!('realNameMasked' in data && typeof data.realNameMasked === 'string')) return undefined
  return { userId: data.userId, realNameMasked: data.realNameMasked }
}

/** What becomes of an account that exists: operators bind it at once, a school asks its owner. */
const wordsOf = (inside: boolean, { realNameMasked }: Offer) =>
  inside
    ? {
        title: `账号已存在（${realNameMasked}），邀请加入本院校？`,
        content: '本人登录并同意后，才会出现在本院校的账号中，并得到您所选的角色。',
        okText: '邀请',
      }
    : {
        title: `账号已存在（${realNameMasked}），绑定到院校？`,
        content: '绑定后该人员用原有账号和密码登录，并得到您所选的角色。',
        okText: '绑定',
      }

/** Makes the account, or binds the one that exists, or asks its owner, when whoever makes it agrees. */
const saveOrBind = async (body: NewSchoolUser, inside: boolean, request: Requester): Promise<Saved> => {
  try {
    return await request(saveSchoolUser, { body })
  } catch (error) {
    const offer = offerIn(error)
    if (!offer) throw error
    if (!(await confirm(wordsOf(inside, offer)))) throw error
    const { loginName, roleIdList, scopes, gmtExpires, isAdmin, schoolId } = body
    const bound = await call(bindSchoolUser, {
      body: { userId: offer.userId, loginName, roleIdList, scopes, gmtExpires, isAdmin, schoolId },
    })
    return { id: bound.id, done: inside ? '已邀请，待本人登录后同意' : '已绑定院校' }
  }
}

const isNewUser = (values: object): values is NewSchoolUser => 'loginName' in values && 'roleIdList' in values

interface SchoolUserFormProps extends DrawerProps<SchoolUser> {
  inside: boolean
}

/** A school account: new ones get school, roles and a password at once. */
export const SchoolUserForm = ({ record, inside, ...drawer }: SchoolUserFormProps) => {
  const [issued, setIssued] = useState<Issued>()
  return (
    <>
      <FormDrawer<SchoolUser, Saved>
        {...drawer}
        record={record}
        width={720}
        title={record ? `编辑账号 ${record.loginName}` : '新增账号'}
        initial={{ gender: 'unknown', isAdmin: false }}
        action={(user) => {
          if (user) return formAction(editSchoolUser, '已保存账号', user)
          return {
            operation: saveSchoolUser,
            done: ({ done }) => done ?? '已新增账号',
            send: async (values, request) => {
              const typed = tidied(values)
              if (!isNewUser(typed)) throw new ApiError(0, '请填写账号和角色')
              const scopes = chosenScopes(typed.roleIdList, typed.scopes)
              const saved = await saveOrBind({ ...typed, scopes }, inside, request)
              if (saved.initialPassword) setIssued({ loginName: typed.loginName, password: saved.initialPassword })
              return saved
            },
          }
        }}
        reload={(user) => call(viewSchoolUser, { query: { userId: user.id } })}
      >
        {!record && !inside && (
          <Field name="schoolId" label="院校" required help="在所选院校开通账号">
            <SchoolSelect />
          </Field>
        )}
        {!record && <Field name="loginName" />}
        <Field name="realName" />
        <Field name="phone" help={record?.phone ? '不修改时保留原号码' : undefined} />
        <Field name="email" help={record?.email ? '不修改时保留原邮箱' : undefined} />
        <Field name="gender" />
        {!record && (
          <Field name="roleIdList">
            <RolesOfChosenSchool inside={inside} />
          </Field>
        )}
        {!record && inside && <RoleScopes of={{ school: undefined }} />}
        <Field name="gmtExpires" label="有效期至">
          <ExpiryInput />
        </Field>
        {(inside || !record) && <Field name="isAdmin" help="院校至少保留一名管理员" />}
        <Field name="remark" />
      </FormDrawer>
      {issued && <InitialPassword issued={issued} onClose={() => setIssued(undefined)} />}
    </>
  )
}
