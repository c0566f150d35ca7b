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

/** What auditors see of a version of any kind of course. */
export type ComparedVersion = Omit<RowOf<typeof viewRecordAudit>, 'content' | 'media'>

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
