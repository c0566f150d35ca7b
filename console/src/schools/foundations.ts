import type { DataOf } from '@/api/operation'
import type { viewFoundations } from './api'

export type Foundation = DataOf<typeof viewFoundations>[number]

/** Whether something of a kind would come. */
export const canCome = ({ added, refusal }: Pick<Foundation, 'added' | 'refusal'>) => added > 0 && !refusal

/** The chosen kinds with those to which their pieces refer, as far as these can come. */
export const withNeeds = (
  kinds: readonly Pick<Foundation, 'kind' | 'needs' | 'added' | 'refusal'>[],
  chosen: readonly string[],
): readonly string[] => {
  const needed = kinds.flatMap(({ kind, needs }) => (chosen.includes(kind) ? needs : []))
  const all = kinds.filter((each) => chosen.includes(each.kind) || (needed.includes(each.kind) && canCome(each)))
  return all.map(({ kind }) => kind)
}
