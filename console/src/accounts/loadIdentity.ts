import { call, reactions, request } from '@/api/client'
import { ApiError, messageOf, tellError } from '@/api/errors'
import { useIdentity } from '@/api/identity'
import { dropToken, forget, store, stored, storedSchool } from '@/api/session'
import { claimTabs } from '@/kit/tabs'
import { listOwnPermissions, viewOwnAccount, viewPlatformMenu, viewSchoolMenu } from './api'
import { endEntry } from './leaveEntry'

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

/** Loads menu, account and permissions, once for all who ask meanwhile; on failure the session ends. */
export const loadIdentity = () => {
  loading ??= (async () => {
    try {
      const { menus, account } = await menuAndAccount()
      store('schoolId', account.schoolId)
      store('schoolName', account.schoolName)
      claimTabs(`${account.userId}.${account.area}.${account.schoolId ?? ''}`)
      const permissions = await permissionsOf(account.permissionVersion)
      const { mustChangePassword, mustSetTotp } = account
      useIdentity.setState({ menus, account, permissions, mustChangePassword, mustSetTotp })
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
}

const PASSWORD_FIRST = '请先修改密码'
const TOTP_FIRST = '请先启用两步验证'

reactions.entryOver = endEntry

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
