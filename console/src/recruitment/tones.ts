import type { components } from '@/api/schema'
import type { Tone } from '@/kit/Status'

type Row = components['schemas']['OfSchool_PreRegistrationRow']

export const statusTones: Partial<Record<Row['status'], Tone>> = {
  pending: 'busy',
  returned: 'warning',
  approved: 'good',
  rejected: 'bad',
  cancelled: 'quiet',
}

export const examTones: Partial<Record<Row['examStatus'], Tone>> = {
  none: 'quiet',
  registered: 'busy',
  admitted: 'good',
  not_admitted: 'bad',
}
