import { create } from 'zustand'
import type { OperationMeta } from './operation'
import { isUnwritable, useSchoolContext } from './schoolContext'
import type { AccountInfo, MenuNode } from './types/accounts'

/** Who is signed in, what they may open and what they may do. The guard has it loaded (`accounts/loadIdentity.ts`). */

interface Identity {
  account: AccountInfo | undefined
  menus: readonly MenuNode[] | undefined
  permissions: ReadonlySet<string>
  /** The dialog that cannot be closed is open. */
  mustChangePassword: boolean
  /** A role asks for a second step of signing in that is not set up yet; the same. */
  mustSetTotp: boolean
}

export const useIdentity = create<Identity>(() => ({
  account: undefined,
  menus: undefined,
  permissions: new Set(),
  mustChangePassword: false,
  mustSetTotp: false,
}))

/** Whether the person may call an operation: its own permission is asked, never a code that a screen spells. */
export const allows = (permissions: ReadonlySet<string>, { permission }: Pick<OperationMeta, 'permission'>) =>
  permission === 'signed-in' || permission === 'public' || permissions.has(permission)

type Asked = Pick<OperationMeta, 'permission' | 'area' | 'writes' | 'names' | 'many'>

/** Whether an operation can be reached from where the session is: some are a school's alone, some the operators'. */
export const isReached = (from: AccountInfo['area'] | undefined, { area }: Pick<OperationMeta, 'area'>) =>
  from === undefined || area === from || (area !== 'school' && area !== 'platform')

/** Whether the person may call an operation here; what writes also needs a school to which one can. */
export const useAllowed = () => {
  const permissions = useIdentity((state) => state.permissions)
  const from = useIdentity((state) => state.account?.area)
  const context = useSchoolContext()
  return (operation: Asked) =>
    allows(permissions, operation) && isReached(from, operation) && !isUnwritable(context, operation)
}
