import type { BodyOf } from '@/api/operation'
import type { savePosterTemplate } from './api'

/** What stands on a poster, in points of its picture. */
export type PosterElement = BodyOf<typeof savePosterTemplate>['elements'][number]

export const POSTER = { width: 750, height: 1334 } as const

/** The code with which a poster begins, at its foot. */
export const NEW_CODE: PosterElement = { kind: 'qr', x: 275, y: 1080, w: 200, h: 200 }

/** Words have a colour and a size; the others are pictures. */
export const isText = ({ kind }: Pick<PosterElement, 'kind'>) => ['nickname', 'title', 'price'].includes(kind)

/** What a new element of a kind is like, in the middle of the poster. */
export const newElement = (kind: PosterElement['kind']): PosterElement =>
  isText({ kind })
    ? { kind, x: 75, y: 600, w: 600, h: 80, color: '#333333', size: 40 }
    : { kind, x: 275, y: 560, w: 200, h: 200 }

/** Whether an element lies within the picture. */
export const isInside = ({ x, y, w, h }: PosterElement) => x + w <= POSTER.width && y + h <= POSTER.height

/** Where an element stands on a preview of that many pixels in width. */
export const placeOf = ({ x, y, w, h, size, color }: PosterElement, width: number) => {
  const scale = width / POSTER.width
  const at = (points: number) => Math.round(points * scale * 10) / 10
  return { left: at(x), top: at(y), width: at(w), height: at(h), fontSize: at(size ?? 28), color: color ?? undefined }
}
