import type { Stage } from '@/field_attributes/stage'
import type { SharedPath } from '@/paths'
import {
  downloadAdmissionCommitments,
  downloadAdmissionInformations,
  downloadGraduationInformations,
  editAdmissionCommitment,
  editAdmissionCommitmentWindow,
  editAdmissionInformation,
  editAdmissionInformationWindow,
  editGraduationInformation,
  editGraduationInformationWindow,
  exportAdmissionCommitments,
  exportAdmissionInformations,
  exportGraduationInformations,
  listAdmissionCommitments,
  listAdmissionCommitmentWindows,
  listAdmissionInformations,
  listAdmissionInformationWindows,
  listGraduationInformations,
  listGraduationInformationWindows,
  printAdmissionCommitment,
  printAdmissionInformation,
  printGraduationInformation,
  rejectAdmissionCommitment,
  rejectAdmissionInformation,
  rejectGraduationInformation,
  remindAdmissionCommitments,
  remindAdmissionInformations,
  remindGraduationInformations,
  reviewAdmissionCommitment,
  reviewAdmissionCommitments,
  reviewAdmissionInformation,
  reviewAdmissionInformations,
  reviewGraduationInformation,
  reviewGraduationInformations,
  saveAdmissionCommitmentWindow,
  saveAdmissionInformationWindow,
  saveGraduationInformationWindow,
  summarizeAdmissionCommitmentClasses,
  summarizeAdmissionInformationClasses,
  summarizeGraduationInformationClasses,
  viewAdmissionCommitment,
  viewAdmissionInformation,
  viewGraduationInformation,
} from './api'

export type Kind = 'admission_information' | 'admission_commitment' | 'graduation_information'

/** What the screens of a group call, and what it is called. The operations of all groups have the same shape. */
export interface Group {
  kind: Kind
  /** By what the server registered the values that show on click. */
  entity: string
  title: string
  /** What somebody hands in, and what is printed and signed. */
  form: string
  paper: string
  classes: SharedPath
  students: SharedPath
  /** What the school asks for beside what the group has of itself. */
  stage?: Stage
  list: typeof listAdmissionInformations
  view: typeof viewAdmissionInformation
  print: typeof printAdmissionInformation
  exports: typeof exportAdmissionInformations
  download: typeof downloadAdmissionInformations
  summarize: typeof summarizeAdmissionInformationClasses
  remind: typeof remindAdmissionInformations
  windows: typeof listAdmissionInformationWindows
  saveWindow: typeof saveAdmissionInformationWindow
  editWindow: typeof editAdmissionInformationWindow
  /** 代填, by whose permission it is offered; its body is the group's own. */
  fill: typeof editAdmissionInformation | typeof editAdmissionCommitment | typeof editGraduationInformation
  /** With the conclusion that only one group has. */
  review: typeof reviewAdmissionCommitment
  reviewMany: typeof reviewAdmissionCommitments
  reject: typeof rejectAdmissionInformation
}

/** 学籍注册信息: the data that are registered for life. */
export const information: Group = {
  kind: 'admission_information',
  entity: 'admissionInformation',
  title: '学籍注册信息',
  form: '学籍注册信息核对',
  paper: '学籍注册信息核对表',
  classes: 'informationClasses',
  students: 'informationStudents',
  stage: 'admission_information',
  list: listAdmissionInformations,
  view: viewAdmissionInformation,
  print: printAdmissionInformation,
  exports: exportAdmissionInformations,
  download: downloadAdmissionInformations,
  summarize: summarizeAdmissionInformationClasses,
  remind: remindAdmissionInformations,
  windows: listAdmissionInformationWindows,
  saveWindow: saveAdmissionInformationWindow,
  editWindow: editAdmissionInformationWindow,
  fill: editAdmissionInformation,
  review: reviewAdmissionInformation,
  reviewMany: reviewAdmissionInformations,
  reject: rejectAdmissionInformation,
}

/** 入学资格审查: the right to be admitted, with the 承诺书. */
export const qualification: Group = {
  kind: 'admission_commitment',
  entity: 'admissionCommitment',
  title: '入学资格审查',
  form: '入学资格审查',
  paper: '承诺书和资格审查表',
  classes: 'qualificationClasses',
  students: 'qualificationStudents',
  list: listAdmissionCommitments,
  view: viewAdmissionCommitment,
  print: printAdmissionCommitment,
  exports: exportAdmissionCommitments,
  download: downloadAdmissionCommitments,
  summarize: summarizeAdmissionCommitmentClasses,
  remind: remindAdmissionCommitments,
  windows: listAdmissionCommitmentWindows,
  saveWindow: saveAdmissionCommitmentWindow,
  editWindow: editAdmissionCommitmentWindow,
  fill: editAdmissionCommitment,
  review: reviewAdmissionCommitment,
  reviewMany: reviewAdmissionCommitments,
  reject: rejectAdmissionCommitment,
}

/** 毕业登记: the form at graduation. */
export const graduation: Group = {
  kind: 'graduation_information',
  entity: 'graduationInformation',
  title: '毕业登记',
  form: '毕业登记',
  paper: '毕业生登记表',
  classes: 'graduationClasses',
  students: 'graduationStudents',
  stage: 'graduation_information',
  list: listGraduationInformations,
  view: viewGraduationInformation,
  print: printGraduationInformation,
  exports: exportGraduationInformations,
  download: downloadGraduationInformations,
  summarize: summarizeGraduationInformationClasses,
  remind: remindGraduationInformations,
  windows: listGraduationInformationWindows,
  saveWindow: saveGraduationInformationWindow,
  editWindow: editGraduationInformationWindow,
  fill: editGraduationInformation,
  review: reviewGraduationInformation,
  reviewMany: reviewGraduationInformations,
  reject: rejectGraduationInformation,
}
