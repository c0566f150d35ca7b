import type { Teacher } from '@/api/types/people'
import type { Tone } from './Status'

/** The tones of states that several rooms show. */

export const accountTones: Partial<Record<Teacher['accountState'], Tone>> = {
  enabled: 'good',
  disabled: 'quiet',
  locked: 'bad',
  none: 'quiet',
}

export const staffTones: Partial<Record<Teacher['status'], Tone>> = {
  active: 'good',
  disabled: 'warning',
  left: 'quiet',
}
