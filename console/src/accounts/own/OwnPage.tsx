import { Alert, Button, Spin } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '@/api/client'
import { useIdentity } from '@/api/identity'
import { formatTime } from '@/kit/format'
import { Failed } from '@/kit/Loaded'
import { Page } from '@/kit/Page'
import { viewOwnProfile } from '../api'
import { OwnInvitations } from './Invitations'
import { PasswordDialog } from './PasswordDialog'
import { Profile } from './Profile'
import { Sessions } from './Sessions'
import { TwoFactor } from './TwoFactor'
import '@/kit/figures.css'
import './own.css'

/** 我的账号: what a person keeps of their own account. */
export const OwnPage = () => {
  const [changing, setChanging] = useState(false)
  const account = useIdentity((state) => state.account)
  const profile = useQuery({ queryKey: [viewOwnProfile.path], queryFn: () => call(viewOwnProfile) })
  if (profile.isPending) return <Spin block />
  if (profile.isError) {
    return <Failed error={profile.error} retry={() => profile.refetch()} />
  }
  const own = profile.data
  return (
    <Page title="我的账号" help="个人资料、登录密码、两步验证和登录设备。" personal>
      {account?.actor && (
        <Alert className="form-lead" type="info" content="您正以平台人员身份代管院校，这里是您自己的平台账号。" />
      )}
      <div className="own">
        <OwnInvitations />
        <section aria-label="个人资料">
          <h2>个人资料</h2>
          <Profile key={own.version} profile={own} />
        </section>
        <div className="own-column">
          <section aria-label="登录密码">
            <h2>登录密码</h2>
            <p className="own-words">
              上次修改：{formatTime(own.passwordChangedAt)}
              {account?.passwordExpiresOn && `，${account.passwordExpiresOn} 到期`}
            </p>
            <Button onClick={() => setChanging(true)}>修改密码</Button>
          </section>
          <TwoFactor profile={own} />
        </div>
        <Sessions />
      </div>
      {changing && <PasswordDialog onClose={() => setChanging(false)} />}
    </Page>
  )
}
