/** What the server tells of how a video or audio is looked at. */
export interface Preview {
  url?: string | null
  framed: boolean
  reason?: string | null
}

export type MediaPlayer = { kind: 'frame' | 'video' | 'audio'; url: string } | { kind: 'none'; reason: string }

const NOT_READY = '音视频尚未就绪，请稍后再试'
const NO_ADDRESS = '没有可以播放的地址'
const NOT_SECURE = '服务商的播放页没有使用 https，请在视频通道配置中检查'

/** A file of ours has an address at this host, a provider's one at its own. Nothing but the web is opened. */
const isOfWeb = (url: string) => {
  if (!URL.canParse(url, 'https://here.example')) return false
  return ['http:', 'https:'].includes(new URL(url, 'https://here.example').protocol)
}

/** With what a period's media is played: a provider's page in a frame, or the browser's own player. */
export const playerOf = (preview: Preview | null | undefined, isAudio: boolean): MediaPlayer => {
  if (!preview) return { kind: 'none', reason: NOT_READY }
  const { url, framed, reason } = preview
  if (!url || !isOfWeb(url)) return { kind: 'none', reason: reason || NO_ADDRESS }
  // Frames are open to encrypted pages alone; a page is no file that a player plays.
  if (framed) return url.startsWith('https:') ? { kind: 'frame', url } : { kind: 'none', reason: NOT_SECURE }
  return { kind: isAudio ? 'audio' : 'video', url }
}
