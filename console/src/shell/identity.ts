import { create } from 'zustand'
import { listOwnPermissions, viewOwnAccount, viewPlatformMenu, viewSchoolMenu } from '@/accounts/api'
import { call, reactions, request } from '@/api/client'
import { ApiError, messageOf, tellError } from '@/api/errors'
import type { OperationMeta } from '@/api/operation'
import type { components } from '@/api/schema'
import {
  claimsOf,
  dropToken,
  endSession,
  forget,
  leaveNotice,
  readToken,
  store,
  stored,
  storedSchool,
} from '@/api/session'
import { isUnwritable, useWhose } from '@/api/whose'
import type { MenuNode } from './menus'
import { claimTabs } from './tabs'

/** Who is signed in, what they may open and what they may do. Loaded once by the guard. */

export type Account = components['schemas']['AccountInfo']

interface Identity {
  account: Account | undefined
  menus: readonly MenuNode[] | undefined
  permissions: ReadonlySet<string>
  /** The dialog that cannot be closed is open. */
  mustChangePassword: boolean
  /** A role asks for a second step of signing in that is not set up yet; the same. */
  mustSetTotp: boolean
  /** Loads menu, account and permissions; on failure the session ends. */
  load: () => Promise<void>
}

const menuOf = (area: 'platform' | 'school', quiet?: (refusal: ApiError) => boolean) =>
  request(area === 'school' ? viewSchoolMenu : viewPlatformMenu, {}, { quiet })

const isForbidden = (error: unknown) => error instanceof ApiError && error.code === 403

/** The stored school chooses the menu; when the server sees the session in another area, its word counts. */
const menuAndAccount = async () => {
  try {
    const menus = await menuOf(storedSchool() === undefined ? 'platform' : 'school', isForbidden)
    return { menus, account: await call(viewOwnAccount) }
  } catch (error) {
    if (!isForbidden(error)) throw error
    store('schoolId', undefined)
    const account = await call(viewOwnAccount)
    return { menus: await menuOf(account.area === 'school' ? 'school' : 'platform'), account }
  }
}

const permissionsOf = async (version: number) => {
  const known = stored<{ version: number; codes: string[] }>('permissions')
  if (known?.version === version) return new Set(known.codes)
  const codes = await call(listOwnPermissions)
  store('permissions', { version, codes })
  return new Set(codes)
}

let loading: Promise<void> | undefined

export const useIdentity = create<Identity>((set) => ({
  account: undefined,
  menus: undefined,
  permissions: new Set(),
  mustChangePassword: false,
  mustSetTotp: false,
  load: () => {
    loading ??= (async () => {
      try {
        const { menus, account } = await menuAndAccount()
        store('schoolId', account.schoolId)
        store('schoolName', account.schoolName)
        claimTabs(`${account.userId}.${account.area}.${account.schoolId ?? ''}`)
        const permissions = await permissionsOf(account.permissionVersion)
        const { mustChangePassword, mustSetTotp } = account
        set({ menus, account, permissions, mustChangePassword, mustSetTotp })
      } catch (error) {
        if (!(error instanceof ApiError)) tellError(messageOf(error) || 'Has Error')
        forget()
        dropToken()
        throw error
      } finally {
        loading = undefined
      }
    })()
    return loading
  },
}))

const PASSWORD_FIRST = '请先修改密码'
const TOTP_FIRST = '请先启用两步验证'

/** A refused right may be a right that was just taken away: ask once what is left. */
let asking = false
reactions.forbidden = (message) => {
  if (message === PASSWORD_FIRST) {
    useIdentity.setState({ mustChangePassword: true })
    return
  }
  if (message === TOTP_FIRST) {
    useIdentity.setState({ mustSetTotp: true })
    return
  }
  const { account } = useIdentity.getState()
  if (asking || !account) return
  asking = true
  store('permissions', undefined)
  permissionsOf(account.permissionVersion)
    .then((permissions) => useIdentity.setState({ permissions }))
    .catch(() => {})
    .finally(() => {
      asking = false
    })
}

/** Whether the person may call an operation: its own permission is asked, never a code that a screen spells. */
export const allows = (permissions: ReadonlySet<string>, { permission }: Pick<OperationMeta, 'permission'>) =>
  permission === 'signed-in' || permission === 'public' || permissions.has(permission)

type Asked = Pick<OperationMeta, 'permission' | 'area' | 'writes' | 'names' | 'many'>

/** Whether an operation can be reached from where the session is: some are a school's alone, some the operators'. */
export const isReached = (from: Account['area'] | undefined, { area }: Pick<OperationMeta, 'area'>) =>
  from === undefined || area === from || (area !== 'school' && area !== 'platform')

/** Whether the person may call an operation here; what writes also needs a school to which one can. */
export const useAllowed = () => {
  const permissions = useIdentity((state) => state.permissions)
  const from = useIdentity((state) => state.account?.area)
  const whose = useWhose()
  return (operation: Asked) =>
    allows(permissions, operation) && isReached(from, operation) && !isUnwritable(whose, operation)
}

/** Another browser tab signed in as somebody else, entered a school or left one: this page must not go on. */
export const watchIdentity = () => {
  const mine = claimsOf(readToken() ?? '')
  const check = () => {
    const token = readToken()
    if (!token) {
      if (mine) endSession()
      return
    }
    const now = claimsOf(token)
    if (!now || !mine || (now.sub === mine.sub && now.area === mine.area && now.schoolId === mine.schoolId)) return
    forget()
    store('schoolId', now.schoolId)
    leaveNotice('登录身份已变化', 'warning')
    location.assign(new URL('dashboard', document.baseURI).href)
  }
  window.addEventListener('focus', check)
  return () => window.removeEventListener('focus', check)
}
