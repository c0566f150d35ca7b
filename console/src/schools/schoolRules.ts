import type { RowOf } from '@/api/operation'
import type { listSchools } from './api'

type School = RowOf<typeof listSchools>

const DAY_MS = 24 * 3600 * 1000
/** Between archiving and deleting, unless operators set another time; the server counts. */
const WAIT_DAYS = 7

const daysSince = (moment: string, now: number) => Math.floor((now - new Date(moment).getTime()) / DAY_MS)

/** Why something cannot be done with a school now; undefined when it can. The server holds the same rules (01 §5.2). */
export const can = {
  enter: ({ provisionState }: School) => (provisionState === 'ready' ? undefined : '院校未开通完成'),
  edit: ({ status, deletionProtection }: School) =>
    status === 'archived' && !deletionProtection ? '院校已归档，仅可查看' : undefined,
  set: ({ provisionState }: School) => (provisionState === 'ready' ? undefined : '院校未开通完成'),
  suspend: ({ status }: School) => (status === 'archived' ? '院校已归档，无需停用' : undefined),
  archive: ({ provisionState, deletionProtection }: School) => {
    if (provisionState !== 'ready') return '院校未开通完成'
    return deletionProtection ? '已开启删除保护，请先在编辑中关闭' : undefined
  },
  copy: ({ provisionState, status }: School) => {
    if (provisionState !== 'ready') return '院校未开通完成'
    return status === 'archived' ? '院校已归档，仅可查看' : undefined
  },
  exportData: ({ provisionState }: School) => (provisionState === 'ready' ? undefined : '院校未开通完成'),
  delete: ({ deletionProtection, archivedAt }: School, now = Date.now()) => {
    if (deletionProtection) return '已开启删除保护，请先在编辑中关闭'
    if (!archivedAt) return '请先归档'
    return daysSince(archivedAt, now) < WAIT_DAYS ? '归档后须等待一段时间才能删除' : undefined
  },
}
