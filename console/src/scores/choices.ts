import { listOptions } from '@/api/infra'

/** Rounds of examinations, those that are over too. */
export const testBatches = {
  options: listOptions,
  query: (keyword: string) => ({ type: 'testBatch', keyword: keyword || undefined, enabled: false }),
}
