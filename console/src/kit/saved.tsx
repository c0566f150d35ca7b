import { Notification } from '@arco-design/web-react'
import { tellSuccess } from '@/api/errors'

/** How long what is worth a second look stays on the screen. */
const WARNING_MS = 10_000

const warningsIn = (data: unknown): readonly string[] =>
  typeof data === 'object' && data !== null && 'warnings' in data && Array.isArray(data.warnings) ? data.warnings : []

const hasFailures = (data: unknown) =>
  typeof data === 'object' && data !== null && 'failed' in data && Array.isArray(data.failed) && data.failed.length > 0

/** Tells that a form was saved, and what the server found worth a second look; nothing was refused. */
export const tellSaved = (done: string, data: unknown) => {
  // What failed is told by itself; nothing is done where all of it did.
  if (hasFailures(data)) return
  const warnings = warningsIn(data)
  if (warnings.length === 0) return tellSuccess(done)
  Notification.warning({
    title: `${done}，请核对`,
    content: warnings.map((each) => <p key={each}>{each}</p>),
    duration: WARNING_MS,
  })
}
