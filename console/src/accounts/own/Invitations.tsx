import { Button, Modal, Space } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '@/api/client'
import { tellSuccess } from '@/api/errors'
import { useIdentity } from '@/api/identity'
import type { RowOf } from '@/api/operation'
import { confirm } from '@/kit/confirm'
import { formatTime } from '@/kit/format'
import { useAction } from '@/kit/useAction'
import { acceptOwnInvitation, listOwnInvitations, refuseOwnInvitation } from '../api'
import { loadIdentity } from '../loadIdentity'
import './own.css'

type OwnInvitation = RowOf<typeof listOwnInvitations>

const useInvitations = () => {
  // Operators enter schools by their roles; nobody asks them.
  const isStaff = useIdentity((state) => state.account?.userType === 'school')
  return useQuery({
    queryKey: [listOwnInvitations.path],
    queryFn: () => call(listOwnInvitations),
    enabled: isStaff,
  })
}

/** One school's question, with the two answers. */
const Question = ({ invitation }: { invitation: OwnInvitation }) => {
  // Said at once: the question goes with its answer. The school can be changed to as soon as the identity knows it.
  const accept = useAction(acceptOwnInvitation, {
    onDone: () => {
      tellSuccess(`已加入“${invitation.schoolName}”，可在右上角切换院校`)
      void loadIdentity()
    },
  })
  const refuse = useAction(refuseOwnInvitation, { done: `已拒绝“${invitation.schoolName}”的邀请` })
  const input = { query: { id: invitation.id } }
  const decline = async () => {
    const sure = await confirm({ title: `拒绝“${invitation.schoolName}”的邀请？`, okText: '拒绝', danger: true })
    if (sure) refuse.mutate(input)
  }
  const busy = accept.isPending || refuse.isPending
  return (
    <li className="invitation">
      <p>
        <strong>{invitation.schoolName}</strong>的{invitation.invitedBy}邀请您加入，角色：
        {invitation.roleNames.join('、') || '未分配'}
        {invitation.isAdmin && '，院校管理员'}
      </p>
      <p className="own-words">
        {formatTime(invitation.endsAt)} 前有效
        {invitation.gmtExpires && `；加入后有效期至 ${formatTime(invitation.gmtExpires)}`}
      </p>
      <Space>
        <Button type="primary" loading={accept.isPending} disabled={busy} onClick={() => accept.mutate(input)}>
          同意
        </Button>
        <Button loading={refuse.isPending} disabled={busy} onClick={decline}>
          拒绝
        </Button>
      </Space>
    </li>
  )
}

const Questions = ({ invitations }: { invitations: readonly OwnInvitation[] }) => (
  <ul className="invitations">
    {invitations.map((invitation) => (
      <Question key={invitation.id} invitation={invitation} />
    ))}
  </ul>
)

/** 院校邀请 on one's own page, while there are any. */
export const OwnInvitations = () => {
  const invitations = useInvitations().data ?? []
  if (invitations.length === 0) return null
  return (
    <section aria-label="院校邀请" className="own-wide">
      <h2>院校邀请</h2>
      <Questions invitations={invitations} />
    </section>
  )
}

/** The same after signing in; put off, they stay on one's own page. */
export const InvitationsDialog = () => {
  const invitations = useInvitations().data ?? []
  const [later, setLater] = useState(false)
  return (
    <Modal
      title="院校邀请"
      style={{ width: 520 }}
      visible={!later && invitations.length > 0}
      onCancel={() => setLater(true)}
      footer={<Button onClick={() => setLater(true)}>以后再说</Button>}
      unmountOnExit
    >
      <p className="dialog-lead">同意前，对方看不到您的资料，您现在的工作不受影响。</p>
      <Questions invitations={invitations} />
    </Modal>
  )
}
