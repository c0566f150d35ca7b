import { encode } from 'uqr'

/** Modules of white around a code, as the standard wants. */
const QUIET = 4
const SIZE_PX = 180

interface QrCodeProps {
  text: string
  label: string
  size?: number
}

/** A text as a picture to be scanned; black on white in every theme. */
export const QrCode = ({ text, label, size: side = SIZE_PX }: QrCodeProps) => {
  const { data, size } = encode(text, { border: QUIET })
  const path = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return (
    <svg className="qr-code" role="img" aria-label={label} width={side} height={side} viewBox={`0 0 ${size} ${size}`}>
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" shapeRendering="crispEdges" />
    </svg>
  )
}
