import { Notification } from '@arco-design/web-react'

/** What the server found worth a second look after a save; nothing was refused. */
export const tellWarnings = ({ warnings }: { warnings: readonly string[] }) => {
  if (warnings.length === 0) return
  Notification.warning({
    title: '已保存，请核对',
    content: warnings.map((each) => <p key={each}>{each}</p>),
    duration: 10_000,
  })
}
