import { Button, Drawer, Empty, Skeleton, Table } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import { useQuery } from '@tanstack/react-query'
import { request } from '@/api/client'
import { step } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { DialogName } from '@/kit/DialogName'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import { formatTime } from '@/kit/format'
import { Failed } from '@/kit/Loaded'
import { RowActions } from '@/kit/RowActions'
import { Enabled } from '@/kit/Status'
import { type DrawerProps, useDrawer } from '@/kit/useDrawer'
import { bindSchoolUser, editSchoolUserRoles, unbindSchoolUser, viewSchoolUser } from '../api'
import { type Account, Names } from './account'
import { ExpiryInput } from './ExpiryInput'
import { RolesOfChosenSchool, SchoolSelect, type SchoolUser } from './SchoolUserForm'
import { BindingRoles } from './SchoolUserRoles'
import './users.css'

type Binding = SchoolUser['bindings'][number]

const Field = fieldsOf(bindSchoolUser)

/** 绑定院校: the account may work at one more school. */
const BindForm = ({ record, ...drawer }: DrawerProps<Account>) => (
  <FormDrawer<{ userId: number }, { id: number }>
    {...drawer}
    record={undefined}
    title={`绑定院校 ${record?.loginName ?? ''}`}
    width={480}
    action={() => {
      const saving = formAction(bindSchoolUser, '已绑定院校')
      return { ...saving, send: (values, request) => saving.send({ ...values, userId: record?.id }, request) }
    }}
  >
    <Field name="schoolId" label="院校" required help="绑定后可登录该院校">
      <SchoolSelect />
    </Field>
    <Field name="roleIdList">
      <RolesOfChosenSchool inside={false} />
    </Field>
    <Field name="gmtExpires" label="有效期至">
      <ExpiryInput />
    </Field>
    <Field name="isAdmin" />
  </FormDrawer>
)

/** Where a school account works, as an operator sees and changes it. */
export const Bindings = ({ record, visible, onClose }: DrawerProps<Account>) => {
  const bind = useDrawer<Account>()
  const roles = useDrawer<Binding>()
  const id = record?.id
  const query = useQuery({
    queryKey: [viewSchoolUser.path, id],
    queryFn: ({ signal }) => request(viewSchoolUser, { query: { userId: id } }, { signal }),
    enabled: visible && id !== undefined,
  })
  const title = `绑定院校 ${record?.loginName ?? ''}`
  return (
    <>
      <Drawer title={title} width={860} visible={visible} onCancel={onClose} unmountOnExit footer={null}>
        <DialogName name={title} />
        <div className="toolbar bindings-toolbar">
          <Can do={bindSchoolUser}>
            <Button type="primary" icon={<IconPlus />} onClick={() => bind.open(record)}>
              绑定院校
            </Button>
          </Can>
        </div>
        {query.isPending && <Skeleton text={{ rows: 4 }} animation />}
        {query.isError && <Failed error={query.error} retry={() => query.refetch()} title="绑定没有加载成功" />}
        {query.data && (
          <Table
            rowKey="id"
            size="small"
            border={{ wrapper: true }}
            pagination={false}
            data={query.data.bindings}
            noDataElement={<Empty description="没有绑定院校，该账号不能登录。请绑定院校。" />}
            columns={[
              { title: '院校', dataIndex: 'schoolName', width: 180 },
              {
                title: '角色',
                dataIndex: 'roles',
                render: (_, row: Binding) => <Names names={row.roles.map((role) => role.roleName)} none="未分配" />,
              },
              {
                title: '管理员',
                dataIndex: 'isAdmin',
                width: 80,
                render: (_, row: Binding) => (row.isAdmin ? '是' : '否'),
              },
              {
                title: '有效期至',
                dataIndex: 'gmtExpires',
                width: 170,
                render: (_, row: Binding) => (row.gmtExpires ? formatTime(row.gmtExpires) : '长期'),
              },
              {
                title: '状态',
                dataIndex: 'enabled',
                width: 80,
                render: (_, row: Binding) => <Enabled value={row.enabled} />,
              },
              {
                title: '操作',
                dataIndex: 'actions',
                width: 190,
                render: (_, row: Binding) => (
                  <RowActions
                    actions={[
                      { label: '编辑院校角色', do: editSchoolUserRoles, onClick: () => roles.open(row) },
                      step(unbindSchoolUser, {
                        label: '解除绑定',
                        danger: true,
                        with: { query: { id: row.id } },
                        confirm: {
                          title: `解除“${record?.realName}”与“${row.schoolName}”的绑定？`,
                          content: '该账号会立即退出该院校，在该院校的角色随之解除。',
                        },
                        done: `已解除与“${row.schoolName}”的绑定`,
                      }),
                    ]}
                  />
                ),
              },
            ]}
          />
        )}
      </Drawer>
      <BindForm key={`bind-${bind.key}`} {...bind.props} />
      <BindingRoles key={`roles-${roles.key}`} {...roles.props} />
    </>
  )
}
