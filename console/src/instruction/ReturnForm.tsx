import type { BulkResult } from '@/api/types/shared'
import { tellFailures } from '@/kit/BulkBar'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import { formatNumber } from '@/kit/format'
import type { DrawerProps } from '@/kit/useDrawer'
import { returnInstructionScores, revokeInstructionScores } from './api'
import { nameOf, type Score } from './instructionRules'

/** The scores that go back, and how far. */
export interface TickedScores {
  kind: 'return' | 'revoke'
  ids: number[]
  shown: readonly Score[]
  /** The ticks of what was left as it is stay. */
  done: (failed: BulkResult['failed']) => void
}

const wishes = {
  return: {
    verb: '退回',
    operation: returnInstructionScores,
    hint: '退回后回到录入中，可以修改考勤和表现成绩，再提交。',
  },
  revoke: {
    verb: '撤销确认',
    operation: revokeInstructionScores,
    hint: '撤销后回到已提交，可以再确认或退回；最终成绩已锁定的不能撤销。',
  },
} as const

const Field = fieldsOf(returnInstructionScores)

/** 退回 and 撤销确认, with the reason. */
export const ReturnForm = ({ record: ticked, ...drawer }: DrawerProps<TickedScores>) => {
  const { verb, operation, hint } = wishes[ticked?.kind ?? 'return']
  const [only] = ticked?.ids.length === 1 ? ticked.shown : []
  return (
    <FormDrawer<{ reason?: string }, BulkResult>
      {...drawer}
      record={undefined}
      title={only ? `${verb} ${nameOf(only)}` : `${verb}${formatNumber(ticked?.ids.length ?? 0)}名学生的面授成绩`}
      okText={verb}
      danger
      action={() => formAction(operation, `已${verb}`, { selectionIds: ticked?.ids ?? [] })}
      onSaved={(answer) => {
        ticked?.done(answer.failed)
        if (answer.failed.length > 0) tellFailures(verb, answer)
      }}
    >
      <p className="form-hint">{hint}</p>
      <Field name="reason" help="2至200个字符" />
    </FormDrawer>
  )
}
