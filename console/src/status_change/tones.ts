import type { RowOf } from '@/api/operation'
import type { Tone } from '@/kit/Status'
import type { listChangeBatches, listChanges } from './api'

export const statusTones: Partial<Record<RowOf<typeof listChanges>['status'], Tone>> = {
  draft: 'quiet',
  pending_site: 'busy',
  pending_target_site: 'busy',
  pending_school: 'busy',
  approved: 'warning',
  executed: 'good',
  rejected: 'bad',
  cancelled: 'quiet',
  revoked: 'quiet',
}

export const phaseTones: Partial<Record<RowOf<typeof listChangeBatches>['phase'], Tone>> = {
  not_started: 'busy',
  open: 'good',
  ended: 'quiet',
  closed: 'warning',
}
