import type { Tone } from '@/kit/Status'

export const questionTones = {
  draft: 'quiet',
  pending_review: 'busy',
  enabled: 'good',
  disabled: 'quiet',
  rejected: 'bad',
} as const satisfies Record<string, Tone>

export const paperTones = {
  draft: 'quiet',
  pending_review: 'busy',
  approved: 'good',
  rejected: 'bad',
  disabled: 'quiet',
} as const satisfies Record<string, Tone>

/** Below 0 the best do worse than the others: the key is likely wrong; below 0.2 a question hardly tells people apart. */
export const toneOfDiscrimination = (value: number): Tone => (value < 0 ? 'bad' : value < 0.2 ? 'warning' : 'good')

/** The colour of a paper's state, wherever it is told. */
export const toneOfPaper = (status: string): Tone | undefined =>
  new Map<string, Tone>(Object.entries(paperTones)).get(status)
