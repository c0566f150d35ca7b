import { Button, Modal } from '@arco-design/web-react'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { renewSchoolEntry } from '@/accounts/api'
import { backToPlatform, endEntry } from '@/accounts/leaveEntry'
import { call } from '@/api/client'
import { tellSuccess } from '@/api/errors'
import { useIdentity } from '@/api/identity'
import { claimsOf, keepToken, readToken } from '@/api/session'

/** How long before its end a renewal is offered. */
const OFFER_BEFORE_MS = 5 * 60 * 1000

const endOfEntry = () => (claimsOf(readToken() ?? '')?.exp ?? 0) * 1000

/** The minutes left of an entry, counted down; undefined outside one. */
const useLeft = (inside: boolean, end: number) => {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (!inside) return
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [inside])
  return inside ? end - now : undefined
}

/** Stands above everything while an operator is inside a school, in the school's colour, and tells how long it lasts. */
export const SchoolEntry = () => {
  const account = useIdentity((state) => state.account)
  const inside = account?.area === 'school' && Boolean(account.actor)
  const [end, setEnd] = useState(endOfEntry)
  const [declined, setDeclined] = useState(0)
  const left = useLeft(inside, end)
  const over = left !== undefined && left <= 0

  const renew = useMutation({
    mutationFn: async () => keepToken((await call(renewSchoolEntry)).token),
    onSuccess: () => {
      setEnd(endOfEntry())
      tellSuccess('已续期')
    },
  })
  const leave = useMutation({ mutationFn: backToPlatform })
  useEffect(() => {
    if (over) endEntry()
  }, [over])

  if (left === undefined) return null
  const minutes = Math.max(0, Math.ceil(left / 60_000))
  return (
    <>
      <div className="school-banner" role="status">
        您正以平台人员身份代管 <strong>{account?.schoolName}</strong>，操作将记入日志，还可停留 {minutes} 分钟
      </div>
      <Modal
        title="即将返回平台"
        visible={!over && left <= OFFER_BEFORE_MS && declined !== end}
        closable={false}
        escToExit={false}
        footer={
          <>
            <Button onClick={() => setDeclined(end)}>暂不续期</Button>
            <Button onClick={() => leave.mutate()} loading={leave.isPending}>
              返回平台
            </Button>
            <Button type="primary" onClick={() => renew.mutate()} loading={renew.isPending}>
              续期30分钟
            </Button>
          </>
        }
      >
        在{account?.schoolName}还可停留 {minutes} 分钟，到时将自动返回平台，未保存的内容会丢失。
      </Modal>
    </>
  )
}
