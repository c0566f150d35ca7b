import { Notification } from '@arco-design/web-react'
import { tellSuccess } from '@/api/errors'
import { formatNumber } from './format'

/** What a person reads when something was done: the same each time, or what the answer says of it. */
export type Done<Data> = string | ((data: Data) => string)

export const wordsOf = <Data,>(done: Done<Data>, data: Data) => (typeof done === 'function' ? done(data) : done)

/** How long what is worth a second look stays on the screen. */
const WARNING_MS = 10_000

/** A sentence, or a row of a bulk step with its sentence. */
type Told = string | { name: string; msg: string }

const sentence = (told: Told) => (typeof told === 'string' ? told : `${told.name}：${told.msg}`)

const warningsIn = (data: unknown): readonly string[] => {
  const has = typeof data === 'object' && data !== null && 'warnings' in data && Array.isArray(data.warnings)
  return has ? (data.warnings as Told[]).map(sentence) : []
}

/** How many sentences are shown; a long step has its file. */
const MOST = 10

const hasFailures = (data: unknown) =>
  typeof data === 'object' && data !== null && 'failed' in data && Array.isArray(data.failed) && data.failed.length > 0

/** What the server found worth a second look, beside what was done. */
const tellWarnings = (done: string, warnings: readonly string[]) => {
  if (warnings.length === 0) return
  const more = warnings.length - MOST
  Notification.warning({
    title: `${done}，请核对`,
    content: (
      <>
        {warnings.slice(0, MOST).map((each) => (
          <p key={each}>{each}</p>
        ))}
        {more > 0 && <p>另有{formatNumber(more)}条</p>}
      </>
    ),
    duration: WARNING_MS,
  })
}

/** Tells that a form was saved, and what the server found worth a second look; nothing was refused. */
export const tellSaved = <Data,>(done: Done<Data>, data: Data, tell: (words: string) => void = tellSuccess) => {
  // What failed is told by itself; nothing is done where all of it did.
  if (hasFailures(data)) return
  const warnings = warningsIn(data)
  const words = wordsOf(done, data)
  if (warnings.length === 0) return tell(words)
  tellWarnings(words, warnings)
}

/** Tells what a step over rows found worth a second look in those that it did, whatever became of the others. */
export const tellRowWarnings = (label: string, data: unknown) => {
  const warnings = warningsIn(data)
  tellWarnings(`${label}：${formatNumber(warnings.length)}条提醒`, warnings)
}
