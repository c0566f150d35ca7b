import { Button } from '@arco-design/web-react'
import { IconClose, IconUndo } from '@arco-design/web-react/icon'
import { useEffect, useState } from 'react'
import { useAllowed } from '@/api/identity'
import { forgetUndo, takeBack, useUndo } from '@/kit/undo'

const SECOND_MS = 1000

/** What was just done, and for half a minute the way back. */
export const UndoBar = () => {
  const { offer, running } = useUndo()
  const allowed = useAllowed()
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (!offer) return
    setNow(Date.now())
    const timer = setInterval(() => {
      if (Date.now() >= offer.until && !useUndo.getState().running) forgetUndo()
      else setNow(Date.now())
    }, SECOND_MS)
    return () => clearInterval(timer)
  }, [offer])
  if (!offer || !allowed(offer.do)) return null
  const left = Math.max(0, Math.ceil((offer.until - now) / SECOND_MS))
  return (
    <section className="undo-bar" aria-label="可撤销的操作">
      <span role="status">{offer.words}</span>
      <Button type="text" size="small" icon={<IconUndo />} loading={running} onClick={() => takeBack().catch(() => {})}>
        撤销（{left}秒）
      </Button>
      <Button type="text" size="small" aria-label="关闭撤销提示" icon={<IconClose />} onClick={forgetUndo} />
    </section>
  )
}
