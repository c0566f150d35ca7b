import type { Tone } from '@/kit/Status'

/** Colours of what waits for a decision or has one. */
export const STATUS_TONES = { pending: 'busy', approved: 'good', rejected: 'bad', revoked: 'quiet' } as const

const SHOWN = 12

/** So much of a text names it. */
export const shortened = (text: string) => {
  const signs = [...text]
  return signs.length > SHOWN ? `${signs.slice(0, SHOWN).join('')}…` : text
}

interface Certified {
  auditStatus: string
  badge: boolean
}

/** Whether the site shows a certificate, and why not. */
export const badgeOf = ({ auditStatus, badge }: Certified): { words: string; tone: Tone } | undefined => {
  if (auditStatus !== 'approved') return undefined
  return badge ? { words: '展示中', tone: 'good' } : { words: '已过期', tone: 'quiet' }
}
