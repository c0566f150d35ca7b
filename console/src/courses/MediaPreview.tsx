import { Alert, Modal } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { RowOf } from '@/api/operation'
import { useRequest } from '@/api/schoolContext'
import { Loaded } from '@/kit/Loaded'
import { viewMedia } from '@/settings/api'
import type { listPeriods } from './api'
import { type MediaPlayer, playerOf } from './mediaPlayer'
import './courses.css'

type Period = RowOf<typeof listPeriods>

const Player = ({ player, title }: { player: Exclude<MediaPlayer, { kind: 'none' }>; title: string }) => {
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

/** 预览 of a period: its video or audio, as far as it can be played without the player of its channel. */
export const MediaPreview = ({ period, onClose }: { period: Period; onClose: () => void }) => {
  const request = useRequest()
  const { title, kind } = period
  const id = period.mediaAssetId ?? 0
  const query = useQuery({
    queryKey: [viewMedia.path, id],
    queryFn: ({ signal }) => request(viewMedia, { query: { id } }, { signal }),
    // Another address would begin it again; the next time there is a new one.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  return (
    <Modal title={`预览 ${title}`} style={{ width: 720 }} visible footer={null} onCancel={onClose} unmountOnExit>
      <Loaded query={query}>
        {({ preview }) => {
          const player = playerOf(preview, kind === 'audio')
          if (player.kind === 'none') return <Alert type="warning" content={player.reason} />
          return <Player player={player} title={title} />
        }}
      </Loaded>
    </Modal>
  )
}
