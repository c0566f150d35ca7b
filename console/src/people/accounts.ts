import type { Operation } from '@/api/operation'
import type { AccountItem, GivenPassword } from '@/api/types/people'
import type { AccountState, BulkResult } from '@/api/types/shared'
import { bulkStep, type RowAction, step, withSchool } from '@/kit/actions'
import type { HasId } from '@/kit/useQueryTable'

type Items = { items: AccountItem[] }
export type Passwords = (GivenPassword & HasId)[]

/** A person of a list, with the account. */
export interface AccountRow extends HasId {
  name: string
  accountState: AccountState
  accountVersion?: number | null
}

/** The three steps that every list of people has; the server's words for them differ. */
export interface AccountCalls {
  change: Operation<undefined, Items & { enabled: boolean }, BulkResult>
  reset: Operation<undefined, Items, BulkResult & { passwords: Passwords }>
  unlock: Operation<undefined, Items, BulkResult>
}

const itemOf = (row: AccountRow) => ({ id: row.id, version: row.accountVersion ?? 0 })

/** What is done with the account of one row; `reset` asks and shows a password that is told this once. */
export const accountSteps = (calls: AccountCalls, row: AccountRow, reset: (row: AccountRow) => void): RowAction[] => {
  const items = [itemOf(row)]
  const off = row.accountState === 'disabled'
  return [
    { label: '重置密码', do: calls.reset, onClick: () => reset(row) },
    step(calls.change, {
      label: off ? '启用账号' : '停用账号',
      danger: !off,
      with: { body: { items, enabled: off } },
      confirm: off ? undefined : { title: `停用“${row.name}”的账号？`, content: '本人会立即退出，且不能再登录。' },
      done: off ? `已启用“${row.name}”的账号` : `已停用“${row.name}”的账号`,
    }),
    ...(row.accountState === 'locked'
      ? [step(calls.unlock, { label: '解锁', with: { body: { items } }, done: `已解锁“${row.name}”` })]
      : []),
  ]
}

/** The same for the ticked rows. */
export const accountBulk = (
  calls: AccountCalls,
  ticked: readonly AccountRow[],
  show: (passwords: Passwords) => void,
) => {
  const items = ticked.map((row) => withSchool(row, itemOf(row)))
  return [
    bulkStep(calls.reset, {
      label: '批量重置密码',
      danger: true,
      confirm: (count) => ({
        title: `重置选中的${count}个账号的密码？`,
        content: '恢复为初始密码，本人会立即退出，下次登录时须修改。',
      }),
      input: () => ({ body: { items } }),
      show: (answer) => show(answer.passwords),
    }),
    bulkStep(calls.change, {
      label: '启用账号',
      confirm: (count) => ({ title: `启用选中的${count}个账号？` }),
      input: () => ({ body: { items, enabled: true } }),
    }),
    bulkStep(calls.change, {
      label: '停用账号',
      danger: true,
      confirm: (count) => ({ title: `停用选中的${count}个账号？`, content: '本人会立即退出，且不能再登录。' }),
      input: () => ({ body: { items, enabled: false } }),
    }),
  ]
}
