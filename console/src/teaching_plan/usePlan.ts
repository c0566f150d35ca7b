import { useQuery } from '@tanstack/react-query'
import { useRequest } from '@/api/schoolContext'
import { useAction } from '@/kit/useAction'
import { editPlanCourse, movePlanCourse, viewTeachingPlanOfMajor } from './api'
import { type PlanContent, type PlanCourse, withWarnings } from './planRules'

/** A plan with its courses, its groups and what a check says of it. */
export const usePlan = (planId: number) => {
  const request = useRequest()
  return useQuery({
    queryKey: [viewTeachingPlanOfMajor.path, planId],
    queryFn: ({ signal }) => request(viewTeachingPlanOfMajor, { query: { planId } }, { signal }),
  })
}

const toldOf =
  (done: string) =>
  ({ warnings }: { warnings: string[] }) =>
    warnings.length > 0 ? withWarnings(done, warnings) : undefined

/**
 * A draft that is being put together. Each step is saved at once, under the version of the plan that was read: of two people
 * the second is told, and sees what the first did.
 */
export const usePlanDesk = ({ plan }: PlanContent) => {
  const moving = useAction(movePlanCourse, { done: toldOf('已调整学期') })
  const editing = useAction(editPlanCourse, { done: toldOf('已修改学分') })
  const isBusy = moving.isPending || editing.isPending
  return {
    isBusy,
    /** To another term. */
    move: ({ id, termNo: from }: PlanCourse, termNo: number) => {
      if (isBusy || termNo === from) return
      moving.mutate({ body: { id, version: plan.version, termNo } })
    },
    credit: ({ id, nature, electiveGroupId, termNo }: PlanCourse, credits: number) => {
      if (isBusy) return
      editing.mutate({ body: { id, version: plan.version, nature, electiveGroupId, termNo, credits } })
    },
  }
}

export type PlanDesk = ReturnType<typeof usePlanDesk>
