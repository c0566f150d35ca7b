export interface UnknownVideo {
  key: number
  channel: string
  vid: string
  name: string
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
const text = (value: unknown) => (typeof value === 'string' ? value : '')

/** The videos at the providers that nobody here knows, as the job of 同步视频云 tells them. */
export const unknownVideos = (warnings: unknown): UnknownVideo[] =>
  (Array.isArray(warnings) ? warnings : [])
    .filter(isRecord)
    .filter(({ vid }) => text(vid) !== '')
    .map(({ channel, vid, name }, key) => ({ key, channel: text(channel), vid: text(vid), name: text(name) }))
