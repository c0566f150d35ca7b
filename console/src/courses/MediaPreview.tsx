import { Alert, Modal } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import type { RowOf } from '@/api/operation'
import { useRequest } from '@/api/schoolContext'
import { Loaded } from '@/kit/Loaded'
import { viewMedia } from '@/settings/api'
import type { listPeriods } from './api'
import { playerOf } from './mediaPlayer'
import { Player } from './Player'
import './courses.css'

type Period = RowOf<typeof listPeriods>

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
