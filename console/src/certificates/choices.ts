import { listOptions } from '@/api/infra'

/** Batches of graduates, those that are over too. */
export const graduationBatches = {
  options: listOptions,
  query: (keyword: string) => ({ type: 'graduationBatch', keyword: keyword || undefined, enabled: false }),
}
