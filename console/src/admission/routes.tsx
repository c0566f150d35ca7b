import { screenOfBoth } from '@/schools/screens'

export const routes = [
  ...screenOfBoth('admissionData', () => import('./AdmissionDataPage').then((page) => page.AdmissionDataPage)),
  ...screenOfBoth('admittedStudents', () => import('./AdmittedStudentsPage').then((page) => page.AdmittedStudentsPage)),
  ...screenOfBoth('admissionAudit', () => import('./AuditPage').then((page) => page.AuditPage)),
  ...screenOfBoth('deletedAdmissions', () => import('./RecycleBinPage').then((page) => page.RecycleBinPage)),
]
