import { type RowAction, step } from '@/kit/actions'
import { recallTeachingPlan, reviseTeachingPlan, submitTeachingPlan, withdrawTeachingPlan } from './api'
import { type Plan, withWarnings } from './planRules'

type Head = Pick<Plan, 'id' | 'version' | 'name' | 'status'>

/** 提交 of a draft, wherever it stands. */
export const submission = ({ id, version, name }: Head) =>
  step(submitTeachingPlan, {
    label: '提交',
    with: { body: { id, version } },
    confirm: { title: `提交“${name}”？`, content: '提交时重新校验；提交后由另一人审核，审核或撤回前不能修改。' },
    done: ({ warnings }) => withWarnings(`已提交“${name}”`, warnings),
  })

export const REVISED = '已生成新版本的草稿'

/** What is asked before 修订. */
export const askRevision = ({ name }: Pick<Head, 'name'>) => ({
  title: `修订“${name}”？`,
  content: '复制为下一版本的草稿；审核通过前，现在的版本继续有效。',
})

/** What the state of a plan leads to by a single press. */
export const stepsOf = (plan: Head): RowAction[] => {
  const { id, version, name, status } = plan
  const isWorkedOn = status === 'draft' || status === 'rejected'
  const recall = step(recallTeachingPlan, {
    label: '撤回',
    with: { body: { id, version } },
    confirm: { title: `撤回“${name}”？`, content: '撤回后回到草稿，可以继续修改。' },
    done: `已撤回“${name}”`,
  })
  const revise = step(reviseTeachingPlan, {
    label: '修订',
    with: { body: { id } },
    confirm: askRevision(plan),
    done: REVISED,
  })
  const withdraw = step(withdrawTeachingPlan, {
    label: '作废',
    danger: true,
    with: { body: { id, version } },
    confirm: { title: `作废“${name}”？`, content: '作废后不能恢复，可以另外新增或复制。' },
    done: `已作废“${name}”`,
  })
  if (isWorkedOn) return [submission(plan), withdraw]
  if (status === 'submitted') return [recall, withdraw]
  return status === 'effective' ? [revise] : []
}
