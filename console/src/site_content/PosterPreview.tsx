import { POSTER, type PosterElement, placeOf } from './posterLayout'
import './siteContent.css'

interface PosterPreviewProps {
  picture?: string | null
  elements: readonly PosterElement[]
}

/** Pixels of the preview. */
const WIDTH = 250
const HEIGHT = Math.round((WIDTH * POSTER.height) / POSTER.width)

/** What stands there for what is only known when somebody shares. */
const SAMPLES: Record<PosterElement['kind'], string> = {
  qr: '二维码',
  avatar: '头像',
  nickname: '学员昵称',
  title: '学位英语考前辅导',
  price: '¥199.00',
  cover: '封面',
}

/** A poster as it will be, with samples in place of what is shared. */
export const PosterPreview = ({ picture, elements }: PosterPreviewProps) => (
  <div
    className="poster-preview"
    role="img"
    aria-label="海报预览"
    style={{ width: WIDTH, height: HEIGHT, backgroundImage: picture ? `url("${picture.replaceAll('"', '%22')}")` : undefined }}
  >
    {elements.map((element, at) => {
      const isPicture = ['qr', 'avatar', 'cover'].includes(element.kind)
      return (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: an element has no name but its place
          key={at}
          className={isPicture ? 'poster-piece poster-piece-box' : 'poster-piece'}
          style={placeOf(element, WIDTH)}
        >
          {SAMPLES[element.kind]}
        </span>
      )
    })}
  </div>
)
