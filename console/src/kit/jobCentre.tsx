import { Button } from '@arco-design/web-react'
import { create } from 'zustand'

/** Whether 任务中心 of the top bar is open: a page that began long work leads there. */
export const useJobCentre = create<{ open: boolean }>(() => ({ open: false }))

export const showJobCentre = (open: boolean) => useJobCentre.setState({ open })

/** The way to 任务中心; `onLeave` closes what stands in front of it. */
export const ToJobCentre = ({ onLeave }: { onLeave: () => void }) => (
  <Button
    onClick={() => {
      onLeave()
      showJobCentre(true)
    }}
  >
    打开任务中心
  </Button>
)
