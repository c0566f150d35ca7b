import { Button, Form } from '@arco-design/web-react'
import { useMutation } from '@tanstack/react-query'
import { request } from '@/api/client'
import { tellSuccess } from '@/api/errors'
import type { RowOf } from '@/api/operation'
import { refetchAll } from '@/api/query'
import { fieldsOf } from '@/kit/Field'
import { formAction } from '@/kit/formAction'
import { PictureUpload } from '@/kit/PictureUpload'
import { useDraftForm, useSaveKey } from '@/kit/useDraftForm'
import { editOwnProfile, type viewOwnProfile } from '../api'
import { loadIdentity } from '../loadIdentity'

type OwnProfile = RowOf<typeof viewOwnProfile>

const Field = fieldsOf(editOwnProfile)
const AVATAR_PX = 120

/** One's own name, contacts and picture. */
export const Profile = ({ profile }: { profile: OwnProfile }) => {
  const draft = useDraftForm(true, profile)
  const saving = useMutation({
    mutationFn: (values: object) => formAction(editOwnProfile, '已保存', profile).send(values, request),
    onSuccess: () => {
      tellSuccess('已保存个人资料')
      draft.settled()
      refetchAll()
      // The name stands in the top bar too.
      loadIdentity().catch(() => {})
    },
    onError: (error) => {
      draft.showErrors(error)
      refetchAll()
    },
  })
  const save = async () => {
    if (saving.isPending) return
    const values = await draft.validated()
    if (values) saving.mutate(values)
  }
  useSaveKey(true, save)
  const { onValuesChange, ...formProps } = draft.formProps
  return (
    <div ref={draft.wrapper}>
      <Form {...formProps} onValuesChange={() => onValuesChange()} onSubmit={save}>
        <Form.Item label="账号">{profile.loginName}</Form.Item>
        <Field name="avatar">
          <PictureUpload width={AVATAR_PX} height={AVATAR_PX} />
        </Field>
        <Field name="realName" />
        <Field name="phone" help={profile.phone ? '不修改时保留原号码' : undefined} />
        <Field name="email" help={profile.email ? '不修改时保留原邮箱' : undefined} />
        <Field name="gender" />
        <button type="submit" hidden />
      </Form>
      <Button type="primary" loading={saving.isPending} title="Ctrl+S" onClick={save}>
        保存
      </Button>
    </div>
  )
}
