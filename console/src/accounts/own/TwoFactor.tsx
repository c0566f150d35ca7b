import { Button, Space } from '@arco-design/web-react'
import { useState } from 'react'
import type { RowOf } from '@/api/operation'
import { formatTime } from '@/kit/format'
import { Word } from '@/kit/Status'
import type { viewOwnProfile } from '../api'
import { ProofDialog } from './ProofDialog'
import { RecoveryCodes } from './RecoveryCodes'
import { TotpSetup } from './TotpSetup'

type OwnProfile = RowOf<typeof viewOwnProfile>

/** 两步验证: on or off, and how many recovery codes are left. */
export const TwoFactor = ({ profile }: { profile: OwnProfile }) => {
  const [open, setOpen] = useState<'setup' | 'disable' | 'recovery'>()
  const [codes, setCodes] = useState<readonly string[]>()
  const close = () => setOpen(undefined)
  return (
    <section aria-label="两步验证">
      <h2>两步验证 {profile.totpEnabled ? <Word tone="good">已启用</Word> : <Word tone="quiet">未启用</Word>}</h2>
      <p className="own-words">
        {profile.totpEnabled
          ? `${formatTime(profile.totpConfirmedAt)} 启用，剩余 ${profile.recoveryCodesLeft} 个恢复码。`
          : '启用后，登录时除密码外还要输入手机验证器中的6位数字。'}
        {profile.totpRequired && '您的角色要求启用。'}
      </p>
      <Space>
        {profile.totpEnabled ? (
          <>
            <Button onClick={() => setOpen('recovery')}>重新生成恢复码</Button>
            <Button
              status="danger"
              disabled={profile.totpRequired}
              title={profile.totpRequired ? '您的角色要求启用两步验证' : undefined}
              onClick={() => setOpen('disable')}
            >
              停用
            </Button>
          </>
        ) : (
          <Button type="primary" onClick={() => setOpen('setup')}>
            启用两步验证
          </Button>
        )}
      </Space>
      {open === 'setup' && <TotpSetup onClose={close} />}
      {(open === 'disable' || open === 'recovery') && <ProofDialog what={open} onClose={close} onCodes={setCodes} />}
      {codes && <RecoveryCodes codes={codes} onClose={() => setCodes(undefined)} />}
    </section>
  )
}
