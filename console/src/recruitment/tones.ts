import type { RowOf } from '@/api/operation'
import type { Tone } from '@/kit/Status'
import type { listPreRegistrations } from './api'

type Row = RowOf<typeof listPreRegistrations>

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
