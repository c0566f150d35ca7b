import type { components } from '@/api/schema'
import type { Tone } from '@/kit/Status'

/** What each status of the register means at a glance. */
export const statusTones: Partial<Record<components['schemas']['StudentStatus'], Tone>> = {
  pending_registration: 'busy',
  registered: 'good',
  suspended: 'warning',
  expired: 'warning',
  withdrawn: 'bad',
  transferred_out: 'quiet',
  graduated: 'quiet',
  completed: 'quiet',
  incomplete: 'quiet',
}
