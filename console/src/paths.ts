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
  systemConfig: '/system/sys/config/list',
  students: '/schoolPC/studentStatus/studentRoll/BeRegistered',
  studentAccounts: '/schoolPC/userManagerment/studentList',
  grades: '/schoolPC/basicData/grade',
  levels: '/schoolPC/basicData/levels',
  semesters: '/schoolPC/basicData/term',
  organizations: '/schoolPC/basicData/organize',
  sites: '/schoolPC/basicData/site',
  nationalMajors: '/schoolPC/basicData/major/national',
  schoolMajors: '/schoolPC/basicData/major/schoolMajor',
  classes: '/schoolPC/basicData/classes',
} as const
