import type { RowOf } from '@/api/operation'
import type { Tone } from '@/kit/Status'
import type { listRegistrations } from './api'

export const statusTones: Partial<Record<RowOf<typeof listRegistrations>['status'], Tone>> = {
  pending: 'busy',
  reported: 'good',
  reserved: 'warning',
  abandoned: 'quiet',
  no_show: 'bad',
  revoked: 'bad',
}
