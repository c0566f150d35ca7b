import { messageOf } from '@/api/errors'
import type { OperationMeta } from '@/api/operation'

/** What a choice says that offers nothing: what went wrong, that its list may not be looked at, or that there is none. */
export const nothingFound = (list: OperationMeta, mayList: boolean, error: unknown, none: string) => {
  if (error) return messageOf(error)
  return mayList ? none : `您没有“${list.title}”权限，请联系管理员开通`
}
