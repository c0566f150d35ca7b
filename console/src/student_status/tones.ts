import type { RowOf } from '@/api/operation'
import type { Tone } from '@/kit/Status'
import type { listStudents, viewStudent } from './api'

type Row = RowOf<typeof listStudents>

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

export const feeTones: Record<RowOf<typeof viewStudent>['feeFlag'], Tone> = { none: 'quiet', arrears: 'bad' }
