import type { RowOf } from '@/api/operation'
import type { Tone } from '@/kit/Status'
import type { listAdmissions } from './api'

type Row = RowOf<typeof listAdmissions>

export const statusTones: Partial<Record<Row['status'], Tone>> = {
  imported: 'warning',
  assigned: 'busy',
  audited: 'good',
  rejected: 'bad',
  cancelled: 'quiet',
}

export const matchTones: Partial<Record<Row['matchStatus'], Tone>> = {
  matched: 'good',
  unmatched: 'quiet',
  conflict: 'bad',
}

/** Red is what holds a person back at the audit, yellow what is worth a look (02 §6). */
export const issueTones: Record<Row['issues'][number], Tone> = {
  id_checksum: 'bad',
  name_differs: 'bad',
  major_differs: 'warning',
  site_missing: 'warning',
  active_student: 'bad',
  over_quota: 'warning',
  photo_missing: 'quiet',
}
