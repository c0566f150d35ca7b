import { isColour, readableUnderWhite } from '@/kit/contrast'

interface BrandPreviewProps {
  name: string
  values: Readonly<Record<string, unknown>>
}

const text = (value: unknown) => (typeof value === 'string' && value ? value : undefined)

/** How the sign-in page and the menu will look, while the colours and pictures are being chosen. */
export const BrandPreview = ({ name, values }: BrandPreviewProps) => {
  const title = text(values.title) ?? name
  const chosen = text(values.brandColor)
  const colour = isColour(chosen) ? readableUnderWhite(chosen) : '#165dff'
  const logo = text(values.logo)
  const mark = text(values.logoNoWord)
  const background = text(values.loginBackground)
  return (
    <figure className="brand-preview" aria-label="品牌预览">
      <div className="brand-tab">
        {text(values.ico) && <img src={text(values.ico)} alt="" />}
        {title}
      </div>
      <div className="brand-screens">
        <div
          className="brand-login"
          style={background ? { backgroundImage: `url(${JSON.stringify(background)})` } : { background: colour }}
        >
          <div className="brand-card">
            <strong>{title}</strong>
            <span className="brand-line" />
            <span className="brand-line" />
            <span className="brand-button" style={{ background: colour }}>
              登录
            </span>
          </div>
        </div>
        <div className="brand-shell">
          <div className="brand-side">
            {logo ? <img src={logo} alt={`${name}标志`} /> : <strong>{title}</strong>}
            <span style={{ color: colour }}>学籍管理</span>
            <span>教学管理</span>
          </div>
          <div className="brand-side brand-narrow">{mark ? <img src={mark} alt="" /> : title.slice(0, 1)}</div>
          <div className="brand-main">
            <span className="brand-button" style={{ background: colour }}>
              新增
            </span>
            <span className="brand-line" />
            <span className="brand-line" />
          </div>
        </div>
      </div>
      <figcaption>保存前的预览，保存后重新载入页面生效</figcaption>
    </figure>
  )
}
