import { Table } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { call } from '@/api/client'
import { useAllowed } from '@/api/identity'
import { step } from '@/kit/actions'
import { formatTime } from '@/kit/format'
import { labelOf } from '@/kit/labels'
import { RowActions } from '@/kit/RowActions'
import { type Tone, Word } from '@/kit/Status'
import { listSchoolInvitations, withdrawSchoolInvitation } from '../api'
import { Names } from './account'
import './users.css'

const tones: Record<string, Tone> = { pending: 'busy', refused: 'bad', expired: 'quiet' }

/** Whom the school has asked to work here too. Until a person agrees there is a masked name, and what was typed. */
export const Invitations = () => {
  const allowed = useAllowed()
  const invitations = useQuery({
    queryKey: [listSchoolInvitations.path],
    queryFn: () => call(listSchoolInvitations),
    enabled: allowed(listSchoolInvitations),
  })
  const rows = invitations.data ?? []
  // Few schools ever ask for somebody; an empty table above every list would only be in the way.
  if (rows.length === 0) return null
  return (
    <section aria-label="院校邀请" className="list-lead">
      <Table
        rowKey="id"
        size="small"
        border={{ wrapper: true }}
        pagination={false}
        data={rows}
        columns={[
          { title: '邀请的账号', dataIndex: 'loginName', width: 140 },
          { title: '姓名', dataIndex: 'realNameMasked', width: 90 },
          { title: '角色', render: (_, row) => <Names names={row.roleNames} none="未分配" /> },
          { title: '管理员', width: 80, render: (_, row) => (row.isAdmin ? '是' : '否') },
          {
            title: '状态',
            width: 110,
            render: (_, row) => (
              <Word tone={tones[row.state]}>{labelOf(listSchoolInvitations, 'state', row.state)}</Word>
            ),
          },
          { title: '邀请人', dataIndex: 'invitedBy', width: 100 },
          { title: '邀请截止', width: 170, render: (_, row) => formatTime(row.endsAt) },
          {
            title: '操作',
            width: 80,
            render: (_, row) => (
              <RowActions
                actions={[
                  step(withdrawSchoolInvitation, {
                    label: row.state === 'pending' ? '撤回' : '移除',
                    danger: row.state === 'pending',
                    with: { query: { id: row.id } },
                    confirm:
                      row.state === 'pending'
                        ? { title: `撤回对“${row.loginName}”的邀请？`, content: '本人将不能再同意，可以重新邀请。' }
                        : undefined,
                    done: row.state === 'pending' ? `已撤回对“${row.loginName}”的邀请` : '已移除',
                  }),
                ]}
              />
            ),
          },
        ]}
      />
    </section>
  )
}
