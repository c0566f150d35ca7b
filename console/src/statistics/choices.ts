import { listOptions } from '@/api/infra'

const of = (type: string) => ({
  options: listOptions,
  query: (keyword: string) => ({ type, keyword: keyword || undefined, enabled: false }),
})

/** How filters ask for what is over, too. */
export const testBatches = of('testBatch')
export const graduationBatches = of('graduationBatch')
export const preRegistrationBatches = of('preRegistrationBatch')
export const homeworks = of('homework')
