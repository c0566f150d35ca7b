import { Divider } from '@arco-design/web-react'
import { call } from '@/api/client'
import type { RowOf } from '@/api/operation'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import { PictureUpload } from '@/kit/PictureUpload'
import type { DrawerProps } from '@/kit/useDrawer'
import { editSchool, viewSchool } from './api'

type School = RowOf<typeof viewSchool>

const Field = fieldsOf(editSchool)

export const SchoolForm = ({ record, ...drawer }: DrawerProps<School>) => (
  <FormDrawer
    {...drawer}
    record={record}
    title={`编辑院校 ${record?.name ?? ''}`}
    width={720}
    action={(school) => formAction(editSchool, '已保存院校资料', school)}
    reload={(school) => call(viewSchool, { query: { id: school.id } })}
  >
    <Field name="name" />
    <Field name="shortName" />
    <Field name="identityCode" />
    <Field name="contactName" />
    <Field name="contactPhone" />
    <Field name="province" />
    <Field name="address" />
    <Divider orientation="left">品牌与域名</Divider>
    <Field name="domain" />
    <Field name="title" />
    <Field name="brandColor" />
    <Field name="logo">
      <PictureUpload />
    </Field>
    <Field name="logoNoWord">
      <PictureUpload width={178} height={178} />
    </Field>
    <Field name="ico">
      <PictureUpload width={178} height={178} />
    </Field>
    <Field name="loginBackground">
      <PictureUpload />
    </Field>
    <Divider orientation="left">配额与到期</Divider>
    {record?.status === 'trial' && <Field name="activate" help="转为正式后需填写服务到期" />}
    <Field name="expiresOn" />
    <Field name="studentQuota" help="留空表示不限" />
    <Field name="storageQuotaGb" help="留空表示不限；存满后不能再上传文件，已有文件不受影响" />
    <Field name="assistanceCenterEnabled" />
    <Field name="deletionProtection" help="开启时不能归档和删除院校" />
    <Field name="remark" />
  </FormDrawer>
)
