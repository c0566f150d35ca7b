import type { Tone } from '@/kit/Status'
import type { Row } from './informationRules'

export const statusTones: Record<Row['status'], Tone> = {
  not_submitted: 'quiet',
  submitted: 'busy',
  class_passed: 'busy',
  approved: 'good',
  returned: 'bad',
}

export const conclusionTones: Record<NonNullable<Row['conclusion']>, Tone> = {
  qualified: 'good',
  unqualified: 'bad',
  supplement: 'warning',
}

export const preCheckTones: Record<NonNullable<Row['chsiPreCheck']>, Tone> = {
  not_required: 'quiet',
  pending: 'quiet',
  passed: 'good',
  to_check: 'warning',
  failed: 'bad',
}

export const photoTones: Record<NonNullable<Row['photoCheck']>, Tone> = {
  pending: 'quiet',
  same: 'good',
  different: 'bad',
}

export const correctionTones: Record<NonNullable<Row['correctionStatus']>, Tone> = {
  pending_site: 'busy',
  pending_school: 'busy',
  pending_province: 'warning',
  approved: 'good',
  rejected: 'bad',
  cancelled: 'quiet',
}

export const phaseTones: Record<'not_started' | 'open' | 'ended' | 'closed', Tone> = {
  not_started: 'warning',
  open: 'good',
  ended: 'quiet',
  closed: 'quiet',
}
