import type { Operation, RowOf } from '@/api/operation'
import {
  auditLiveCourse,
  auditLiveCourses,
  auditRecord,
  auditRecords,
  auditResource,
  auditResources,
  exportLiveAudits,
  exportRecordAudits,
  exportResourceAudits,
  listLiveAudits,
  listRecordAudits,
  listResourceAudits,
  viewLiveAudit,
  viewRecordAudit,
  viewResourceAudit,
} from './api'

/** A lesson of a version: one that is watched, or one that is given at a time. */
export interface PreviewedPeriod {
  id?: number | null
  periodName: string
  isFree?: boolean | null
  mediaAssetId?: number
  startsAt?: string
  endsAt?: string
  replayAssetId?: number | null
  attachmentKeys?: readonly string[] | null
}

/** The content of a version of any kind of course; a file of the library has no chapters. */
interface PreviewedContent {
  courseName: string
  cover: string
  introduce?: string | null
  isFree: boolean
  priceOriginal?: number | null
  priceSale?: number | null
  validDays?: number | null
  chapters?: readonly {
    id?: number | null
    chapterName: string
    chapterDesc?: string | null
    periods: readonly PreviewedPeriod[]
  }[]
  resourceFileName?: string | null
  resourcePages?: number | null
}

/** What auditors see of a version of any kind of course. */
export type ComparedVersion = Omit<RowOf<typeof viewRecordAudit>, 'content' | 'media' | 'attachments'> & {
  content: PreviewedContent
  /** What its lessons are watched with. */
  media?: RowOf<typeof viewRecordAudit>['media']
  /** What its lessons bring with them. */
  attachments?: RowOf<typeof viewRecordAudit>['attachments']
  /** Of a file of the library. */
  fileUrl?: string | null
}

/** The operations of the audit of one kind of course. */
export interface AuditOperations {
  title: string
  list: typeof listRecordAudits
  view: Operation<{ id: number }, undefined, ComparedVersion>
  decide: typeof auditRecord
  decideMany: typeof auditRecords
  export: typeof exportRecordAudits
}

export const recordAudits: AuditOperations = {
  title: '录播审核',
  list: listRecordAudits,
  view: viewRecordAudit,
  decide: auditRecord,
  decideMany: auditRecords,
  export: exportRecordAudits,
}

export const liveAudits: AuditOperations = {
  title: '直播审核',
  list: listLiveAudits,
  view: viewLiveAudit,
  decide: auditLiveCourse,
  decideMany: auditLiveCourses,
  export: exportLiveAudits,
}

export const resourceAudits: AuditOperations = {
  title: '文库审核',
  list: listResourceAudits,
  view: viewResourceAudit,
  decide: auditResource,
  decideMany: auditResources,
  export: exportResourceAudits,
}
