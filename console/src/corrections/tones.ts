import type { RowOf } from '@/api/operation'
import type { Tone } from '@/kit/Status'
import type { listCorrections } from './api'

type Row = RowOf<typeof listCorrections>

export const statusTones: Partial<Record<Row['status'], Tone>> = {
  pending_site: 'busy',
  pending_school: 'busy',
  pending_province: 'warning',
  approved: 'good',
  rejected: 'bad',
  cancelled: 'quiet',
}
