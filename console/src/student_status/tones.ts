import type { components } from '@/api/schema'
import type { Tone } from '@/kit/Status'

type Row = components['schemas']['OfSchool_StudentRow']

export const statusTones: Partial<Record<Row['status'], Tone>> = {
  pending_registration: 'busy',
  registered: 'good',
  suspended: 'warning',
  withdrawn: 'bad',
  transferred_out: 'quiet',
  expired: 'bad',
  graduated: 'quiet',
  completed: 'quiet',
  incomplete: 'quiet',
}

export const registerTones: Partial<Record<Row['registerResult'], Tone>> = {
  none: 'quiet',
  exported: 'busy',
  accepted: 'good',
  rejected: 'bad',
}
