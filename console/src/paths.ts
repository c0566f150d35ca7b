/**
 * Route paths as the customer's people have them bookmarked. Spelling is kept, and stands only here.
 * A path with two areas is one screen: `/platformPC/…` for operators, `/schoolPC/…` for a school.
 */
export const paths = {
  login: '/login',
  notFound: '/404',
  support: '/schoolSupport',
  home: '/dashboard',
  frame: '/iframe',
  redirect: '/redirect/',
  schools: '/sys/school/list',
  schoolSettings: '/sys/school/systemManagerment',
  allSettings: '/platformPC/systemManagerment',
  ownSettings: '/schoolPC/systemManagerment',
  users: '/sys/user/list',
  own: '/sys/user/own',
  userUpload: '/sys/user/list/userupload',
  roles: '/sys/role/list',
  platformMenus: '/sys/menu/list',
  schoolMenus: '/sys/menu/schoolList',
  systemConfig: '/system/sys/config/list',
  configAdd: '/system/sys/config/add',
  configEdit: '/system/sys/config/edit',
  dictTypes: '/system/dict/list',
  dictData: '/system/dict/data',
  params: '/system/sys/param/config/list',
  paramAdd: '/system/sys/param/config/add',
  paramEdit: '/system/sys/param/config/edit',
  words: '/system/sys/sensitive/word/library/list',
  wordAdd: '/system/sys/sensitive/word/library/add',
  payChannels: '/user/pay/channel/list',
  banners: '/system/banner/list',
  bannerAdd: '/system/banner/add',
  bannerEdit: '/system/banner/edit',
  loginLogs: '/data/user/log/login/list',
  systemLogs: '/data/sys/log/list',
  userLogs: '/data/sys/log/userLog',
  monitor: '/druid/index',
  recordCategories: '/course/category/record/list',
  recordCourses: '/course/record/list',
  recordAudits: '/course/audit/record/list',
  lecturers: '/user/lecturer/list',
  messages: '/user/msg/list',
  messageAdd: '/user/msg/add',
  messageEdit: '/user/msg/edit',
  messageStatistics: '/user/msg/statistics',
  messageReaders: '/user/msg/checkStatistics',
  messageFailures: '/user/msg/failureLog',
  messageSwitches: '/user/msg/scene/list',
  appMessages: '/user/msg/app/list',
  personMessages: '/user/msg/user/list',
  scenes: '/user/psd/info/list',
  messageTemplates: '/user/psd/list/conf/list',
  fieldAttributes: '/schoolPC/recruitStudents/fieldAttribute',
  enrollmentBatches: '/schoolPC/recruitStudents/enrollmentBatch',
  siteEnrollments: '/schoolPC/recruitStudents/siteEnrollment',
  preRegistrationBatches: '/schoolPC/recruitStudents/preRegistration/preRegistrationBatch',
  preRegistrations: '/schoolPC/recruitStudents/preRegistration/preRegistrationList',
  deletedPreRegistrations: '/schoolPC/recruitStudents/deleteData/preRegistration',
  admissionData: '/schoolPC/recruitStudents/admissionList/admissionData',
  admittedStudents: '/schoolPC/recruitStudents/admissionList/studentList',
  admissionAudit: '/schoolPC/recruitStudents/admissionList/auditEnrollList',
  deletedAdmissions: '/schoolPC/recruitStudents/deleteData/admission',
  registrations: '/schoolPC/recruitStudents/registrationList',
  deletedRegistrations: '/schoolPC/recruitStudents/deleteData/registration',
  students: '/schoolPC/studentStatus/studentRoll/BeRegistered',
  leftStudents: '/schoolPC/studentStatus/studentRoll/dropOut',
  finishedStudents: '/schoolPC/studentStatus/studentRoll/finishSchool',
  changeBatches: '/schoolPC/studentStatus/transaction/transferBatch',
  changeApplications: '/schoolPC/studentStatus/transaction/changeApplication',
  professionalChanges: '/schoolPC/studentStatus/professional',
  hierarchicalChanges: '/schoolPC/studentStatus/hierarchical',
  leavings: '/schoolPC/studentStatus/dropout',
  classChanges: '/schoolPC/studentStatus/classChange',
  informationClasses: '/schoolPC/information/information/classStatistics',
  informationStudents: '/schoolPC/information/information/studentStatistics',
  qualificationClasses: '/schoolPC/information/qualification/classStatistics',
  qualificationStudents: '/schoolPC/information/qualification/studentStatistics',
  graduationClasses: '/schoolPC/information/graduation/classStatistics',
  graduationStudents: '/schoolPC/information/graduation/studentStatistics',
  schoolInfo: '/schoolPC/information/schoolInfo',
  studentAccounts: '/schoolPC/userManagerment/studentList',
  teachers: '/schoolPC/userManagerment/teacherList',
  classManagers: '/schoolPC/userManagerment/sideList',
  clientMenus: '/platformPC/userManagerment/menu',
  grades: '/schoolPC/basicData/grade',
  levels: '/schoolPC/basicData/levels',
  semesters: '/schoolPC/basicData/term',
  organizations: '/schoolPC/basicData/organize',
  sites: '/schoolPC/basicData/site',
  nationalMajors: '/schoolPC/basicData/major/national',
  platformNationalMajors: '/platformPC/basicData/major/national',
  schoolMajors: '/schoolPC/basicData/major/schoolMajor',
  forecastMajors: '/schoolPC/basicData/major/forecastingMajor',
  classes: '/schoolPC/basicData/classes',
  curriculumTypes: '/schoolPC/basicData/curriculumType',
  courses: '/schoolPC/basicData/course/collegeCurriculum',
  courseRecords: '/schoolPC/basicData/course/record/list',
  courseRecordAdd: '/schoolPC/basicData/course/record/add',
  courseRecordEdit: '/schoolPC/basicData/course/record/edit',
  courseChapters: '/schoolPC/basicData/course/record/list/{courseId}',
} as const

/**
 * The operators' screens over the schools' data: the same components under paths of their own, with the school in
 * `schoolId`.
 */
export const platformPaths = {
  fieldAttributes: '/platformPC/recruitStudents/fieldAttribute',
  siteEnrollments: '/platformPC/recruitStudents/siteEnrollment',
  preRegistrationBatches: '/platformPC/recruitStudents/preRegistration/preRegistrationBatch',
  preRegistrations: '/platformPC/recruitStudents/preRegistration/preRegistrationList',
  deletedPreRegistrations: '/platformPC/recruitStudents/deleteData/preRegistration',
  admissionData: '/platformPC/recruitStudents/admissionList/admissionData',
  admittedStudents: '/platformPC/recruitStudents/admissionList/studentList',
  admissionAudit: '/platformPC/recruitStudents/admissionList/auditEnrollList',
  deletedAdmissions: '/platformPC/recruitStudents/deleteData/admission',
  registrations: '/platformPC/recruitStudents/registrationList',
  deletedRegistrations: '/platformPC/recruitStudents/deleteData/registration',
  students: '/platformPC/studentStatus/studentRoll/BeRegistered',
  leftStudents: '/platformPC/studentStatus/studentRoll/dropOut',
  finishedStudents: '/platformPC/studentStatus/studentRoll/finishSchool',
  changeBatches: '/platformPC/studentStatus/transaction/transferBatch',
  professionalChanges: '/platformPC/studentStatus/professional',
  hierarchicalChanges: '/platformPC/studentStatus/hierarchical',
  leavings: '/platformPC/studentStatus/dropout',
  classChanges: '/platformPC/studentStatus/classChange',
  informationClasses: '/platformPC/information/informations/classStatistics',
  informationStudents: '/platformPC/information/informations/studentStatistics',
  qualificationClasses: '/platformPC/information/qualification/classStatistics',
  qualificationStudents: '/platformPC/information/qualification/studentStatistics',
  graduationClasses: '/platformPC/information/graduation/classStatistics',
  graduationStudents: '/platformPC/information/graduation/studentStatistics',
  studentAccounts: '/platformPC/userManagerment/studentList',
  teachers: '/platformPC/userManagerment/teacherList',
  classManagers: '/platformPC/userManagerment/sideList',
  grades: '/platformPC/basicData/grade',
  levels: '/platformPC/basicData/levels',
  semesters: '/platformPC/basicData/term',
  organizations: '/platformPC/basicData/organize',
  sites: '/platformPC/basicData/site',
  schoolMajors: '/platformPC/basicData/major/schoolMajor',
  forecastMajors: '/platformPC/basicData/major/forecastingMajor',
  classes: '/platformPC/basicData/classes',
  courses: '/platformPC/basicData/course/collegeCurriculum',
  courseRecords: '/platformPC/basicData/course/record/list',
  courseRecordAdd: '/platformPC/basicData/course/record/add',
  courseRecordEdit: '/platformPC/basicData/course/record/edit',
  courseChapters: '/platformPC/basicData/course/record/list/chapterList',
} as const satisfies Partial<Record<keyof typeof paths, string>>

/** A screen that both areas have. */
export type SharedPath = keyof typeof platformPaths

/** Results of changes of status are also known under the folder of their applications, in both areas (02 §10). */
const MOVED =
  /^(\/(?:schoolPC|platformPC)\/studentStatus\/)transaction\/(professional|hierarchical|dropout|classChange)$/

/** Where a page stands that is also known under another path; none for all others. */
export const movedTo = (pathname: string) => (MOVED.test(pathname) ? pathname.replace(MOVED, '$1$2') : undefined)

type Query = Readonly<Record<string, string | number | undefined>>

/** Where such a screen is: inside a school, or for an operator with the school that they mean. */
export const placeOf = (name: SharedPath, query: Query = {}, operator?: { schoolId?: number }) => {
  const left = new Map(Object.entries({ ...(operator && { schoolId: operator.schoolId }), ...query }))
  const path = (operator ? platformPaths : paths)[name].replace(/\{(\w+)\}/g, (_, field: string) => {
    const value = left.get(field)
    left.delete(field)
    return String(value)
  })
  const search = new URLSearchParams(
    [...left].flatMap(([field, value]) => (value === undefined ? [] : [[field, String(value)]])),
  )
  return search.size > 0 ? `${path}?${search}` : path
}
