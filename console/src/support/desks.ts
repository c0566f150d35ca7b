import type { DataOf, RowOf } from '@/api/operation'
import {
  assignSchoolHelpQuestions,
  assignSiteHelpQuestions,
  assignStudentHelpQuestions,
  assignTeacherHelpQuestions,
  deleteSchoolHelpArticle,
  deleteSchoolHelpArticles,
  deleteSchoolHelpCategory,
  deleteSiteHelpArticle,
  deleteSiteHelpArticles,
  deleteSiteHelpCategory,
  deleteStudentHelpArticle,
  deleteStudentHelpArticles,
  deleteStudentHelpCategory,
  deleteTeacherHelpArticle,
  deleteTeacherHelpArticles,
  deleteTeacherHelpCategory,
  editSchoolHelpArticle,
  editSchoolHelpCategory,
  editSiteHelpArticle,
  editSiteHelpCategory,
  editStudentHelpArticle,
  editStudentHelpCategory,
  editTeacherHelpArticle,
  editTeacherHelpCategory,
  exportSchoolHelp,
  exportSiteHelp,
  exportStudentHelp,
  exportTeacherHelp,
  hideSchoolHelpArticle,
  hideSiteHelpArticle,
  hideStudentHelpArticle,
  hideTeacherHelpArticle,
  listSchoolHelpArticles,
  listSchoolHelpCategories,
  listSchoolHelpQuestions,
  listSiteHelpArticles,
  listSiteHelpCategories,
  listSiteHelpQuestions,
  listStudentHelpArticles,
  listStudentHelpCategories,
  listStudentHelpQuestions,
  listTeacherHelpArticles,
  listTeacherHelpCategories,
  listTeacherHelpQuestions,
  publishSchoolHelpArticles,
  publishSiteHelpArticles,
  publishStudentHelpArticles,
  publishTeacherHelpArticles,
  replySchoolHelpQuestion,
  replySiteHelpQuestion,
  replyStudentHelpQuestion,
  replyTeacherHelpQuestion,
  saveSchoolHelpArticle,
  saveSchoolHelpCategory,
  saveSiteHelpArticle,
  saveSiteHelpCategory,
  saveStudentHelpArticle,
  saveStudentHelpCategory,
  saveTeacherHelpArticle,
  saveTeacherHelpCategory,
  sortSchoolHelpArticles,
  sortSchoolHelpCategories,
  sortSiteHelpArticles,
  sortSiteHelpCategories,
  sortStudentHelpArticles,
  sortStudentHelpCategories,
  sortTeacherHelpArticles,
  sortTeacherHelpCategories,
  takeSchoolHelpArticlesOffline,
  takeSiteHelpArticlesOffline,
  takeStudentHelpArticlesOffline,
  takeTeacherHelpArticlesOffline,
  viewSchoolHelpArticle,
  viewSchoolHelpQuestion,
  viewSchoolHelpStatistics,
  viewSiteHelpArticle,
  viewSiteHelpQuestion,
  viewSiteHelpStatistics,
  viewStudentHelpArticle,
  viewStudentHelpQuestion,
  viewStudentHelpStatistics,
  viewTeacherHelpArticle,
  viewTeacherHelpQuestion,
  viewTeacherHelpStatistics,
} from './api'

/** Where the help of one audience is written and its questions are answered: the operations of each do the same. */
export interface Desk {
  title: string
  help: string
  list: typeof listStudentHelpArticles
  view: typeof viewStudentHelpArticle
  save: typeof saveStudentHelpArticle
  edit: typeof editStudentHelpArticle
  remove: typeof deleteStudentHelpArticle
  removeMany: typeof deleteStudentHelpArticles
  publish: typeof publishStudentHelpArticles
  offline: typeof takeStudentHelpArticlesOffline
  sort: typeof sortStudentHelpArticles
  hide: typeof hideStudentHelpArticle
  export: typeof exportStudentHelp
  statistics: typeof viewStudentHelpStatistics
  categories: typeof listStudentHelpCategories
  saveCategory: typeof saveStudentHelpCategory
  editCategory: typeof editStudentHelpCategory
  removeCategory: typeof deleteStudentHelpCategory
  sortCategories: typeof sortStudentHelpCategories
  questions: typeof listStudentHelpQuestions
  question: typeof viewStudentHelpQuestion
  reply: typeof replyStudentHelpQuestion
  assign: typeof assignStudentHelpQuestions
  /** Its people ask the operators: they are the staff of schools themselves. */
  ofStaff?: true
}

export type Article = RowOf<Desk['list']>
export type ArticleDetail = DataOf<Desk['view']>
export type Category = RowOf<Desk['categories']>
export type Question = RowOf<Desk['questions']>
export type QuestionDetail = DataOf<Desk['question']>
export type Source = Article['source']

export const studentDesk: Desk = {
  title: '学生帮助',
  help: '学生在客户端查看的帮助文章，以及学生的咨询。',
  list: listStudentHelpArticles,
  view: viewStudentHelpArticle,
  save: saveStudentHelpArticle,
  edit: editStudentHelpArticle,
  remove: deleteStudentHelpArticle,
  removeMany: deleteStudentHelpArticles,
  publish: publishStudentHelpArticles,
  offline: takeStudentHelpArticlesOffline,
  sort: sortStudentHelpArticles,
  hide: hideStudentHelpArticle,
  export: exportStudentHelp,
  statistics: viewStudentHelpStatistics,
  categories: listStudentHelpCategories,
  saveCategory: saveStudentHelpCategory,
  editCategory: editStudentHelpCategory,
  removeCategory: deleteStudentHelpCategory,
  sortCategories: sortStudentHelpCategories,
  questions: listStudentHelpQuestions,
  question: viewStudentHelpQuestion,
  reply: replyStudentHelpQuestion,
  assign: assignStudentHelpQuestions,
}

export const teacherDesk: Desk = {
  title: '教师帮助',
  help: '教师和班主任在客户端查看的帮助文章，以及他们的咨询。',
  list: listTeacherHelpArticles,
  view: viewTeacherHelpArticle,
  save: saveTeacherHelpArticle,
  edit: editTeacherHelpArticle,
  remove: deleteTeacherHelpArticle,
  removeMany: deleteTeacherHelpArticles,
  publish: publishTeacherHelpArticles,
  offline: takeTeacherHelpArticlesOffline,
  sort: sortTeacherHelpArticles,
  hide: hideTeacherHelpArticle,
  export: exportTeacherHelp,
  statistics: viewTeacherHelpStatistics,
  categories: listTeacherHelpCategories,
  saveCategory: saveTeacherHelpCategory,
  editCategory: editTeacherHelpCategory,
  removeCategory: deleteTeacherHelpCategory,
  sortCategories: sortTeacherHelpCategories,
  questions: listTeacherHelpQuestions,
  question: viewTeacherHelpQuestion,
  reply: replyTeacherHelpQuestion,
  assign: assignTeacherHelpQuestions,
}

export const siteDesk: Desk = {
  title: '站点帮助',
  help: '站点人员在客户端查看的帮助文章，以及他们的咨询。',
  list: listSiteHelpArticles,
  view: viewSiteHelpArticle,
  save: saveSiteHelpArticle,
  edit: editSiteHelpArticle,
  remove: deleteSiteHelpArticle,
  removeMany: deleteSiteHelpArticles,
  publish: publishSiteHelpArticles,
  offline: takeSiteHelpArticlesOffline,
  sort: sortSiteHelpArticles,
  hide: hideSiteHelpArticle,
  export: exportSiteHelp,
  statistics: viewSiteHelpStatistics,
  categories: listSiteHelpCategories,
  saveCategory: saveSiteHelpCategory,
  editCategory: editSiteHelpCategory,
  removeCategory: deleteSiteHelpCategory,
  sortCategories: sortSiteHelpCategories,
  questions: listSiteHelpQuestions,
  question: viewSiteHelpQuestion,
  reply: replySiteHelpQuestion,
  assign: assignSiteHelpQuestions,
}

export const schoolDesk: Desk = {
  title: '院校帮助',
  help: '院校人员在帮助中心查看的文章，以及院校人员向平台的咨询。',
  list: listSchoolHelpArticles,
  view: viewSchoolHelpArticle,
  save: saveSchoolHelpArticle,
  edit: editSchoolHelpArticle,
  remove: deleteSchoolHelpArticle,
  removeMany: deleteSchoolHelpArticles,
  publish: publishSchoolHelpArticles,
  offline: takeSchoolHelpArticlesOffline,
  sort: sortSchoolHelpArticles,
  hide: hideSchoolHelpArticle,
  export: exportSchoolHelp,
  statistics: viewSchoolHelpStatistics,
  categories: listSchoolHelpCategories,
  saveCategory: saveSchoolHelpCategory,
  editCategory: editSchoolHelpCategory,
  removeCategory: deleteSchoolHelpCategory,
  sortCategories: sortSchoolHelpCategories,
  questions: listSchoolHelpQuestions,
  question: viewSchoolHelpQuestion,
  reply: replySchoolHelpQuestion,
  assign: assignSchoolHelpQuestions,
  ofStaff: true,
}
