import type { components } from '@/api/schema'

type School = components['schemas']['School']

/** Why something cannot be done with a school now; undefined when it can. The server holds the same rules (01 §5.2). */
export const can = {
  enter: ({ provisionState }: School) => (provisionState === 'ready' ? undefined : '院校未开通完成'),
  edit: ({ status }: School) => (status === 'archived' ? '院校已归档，仅可查看' : undefined),
  suspend: ({ status }: School) => (status === 'archived' ? '院校已归档，无需停用' : undefined),
}
