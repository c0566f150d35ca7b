import { Alert } from '@arco-design/web-react'
import { useState } from 'react'
import type { MediaPlayer } from './mediaPlayer'
import './courses.css'

/** A video or audio as far as it can be played without the player of its channel. */
export const Player = ({ player, title }: { player: Exclude<MediaPlayer, { kind: 'none' }>; title: string }) => {
  const { kind, url } = player
  const [failed, setFailed] = useState(false)
  const fail = () => setFailed(true)
  return (
    <>
      {kind === 'frame' && (
        <iframe
          className="media-preview"
          title={title}
          src={url}
          sandbox="allow-scripts allow-same-origin"
          allow="autoplay; fullscreen; encrypted-media"
          referrerPolicy="origin"
        />
      )}
      {kind === 'video' && (
        // biome-ignore lint/a11y/useMediaCaption: whoever uploaded it gave no captions
        <video className="media-preview" controls src={url} aria-label={title} onError={fail} />
      )}
      {kind === 'audio' && (
        // biome-ignore lint/a11y/useMediaCaption: whoever uploaded it gave no captions
        <audio controls src={url} aria-label={title} onError={fail} />
      )}
      {failed && <Alert type="warning" content="浏览器不能播放该文件，请在新标签页打开，或在服务商的控制台查看。" />}
      <p>
        <a href={url} target="_blank" rel="noreferrer">
          在新标签页打开
        </a>
      </p>
    </>
  )
}
