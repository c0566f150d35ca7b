import type { CorrectionEvidenceForm } from '@/api/types/corrections'

/** What proves new values, by kind and label. */
export const evidenceKinds: readonly (readonly [kind: CorrectionEvidenceForm['kind'], label: string])[] = [
  ['id_card', '身份证'],
  ['hukou', '户口簿'],
  ['police_certificate', '公安证明'],
  ['birth_certificate', '出生证明'],
  ['exam_ticket', '准考证'],
  ['other', '其他'],
]
