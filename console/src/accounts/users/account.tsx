import type { RowOf } from '@/api/operation'
import { Word } from '@/kit/Status'
import type { listSchoolUsers } from '../api'

export type Account = RowOf<typeof listSchoolUsers>

/** Whether somebody may sign in, in one word; the platform's word counts everywhere. */
export const State = ({ account }: { account: Account }) => {
  if (!account.accountEnabled && account.bindingId) return <Word tone="bad">平台停用</Word>
  if (!account.enabled) return <Word tone="quiet">停用</Word>
  if (account.gmtExpires && new Date(account.gmtExpires).getTime() <= Date.now()) return <Word tone="bad">已过期</Word>
  return account.locked ? <Word tone="warning">已锁定</Word> : <Word tone="good">启用</Word>
}

/** Several names in one cell. */
export const Names = ({ names, none = '—' }: { names: readonly string[]; none?: string }) =>
  names.length > 0 ? <span title={names.join('、')}>{names.join('、')}</span> : <span className="nothing">{none}</span>
