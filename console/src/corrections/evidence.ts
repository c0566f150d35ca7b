import type { CorrectionEvidenceForm } from '@/api/types/shared'
import { useEnumeration } from '@/settings/useEnumeration'

/** What proves new values, by kind and label. */
export const useEvidenceKinds = () =>
  useEnumeration('correctionEvidence').map(({ code, desc }) => [code as CorrectionEvidenceForm['kind'], desc] as const)
