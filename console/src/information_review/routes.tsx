import { screenOfBoth } from '@/schools/screens'

const classes = () => import('./ClassesPage')
const students = () => import('./StudentsPage')

export const routes = [
  ...screenOfBoth('informationClasses', () => classes().then((page) => page.InformationClassesPage)),
  ...screenOfBoth('informationStudents', () => students().then((page) => page.InformationStudentsPage)),
  ...screenOfBoth('qualificationClasses', () => classes().then((page) => page.QualificationClassesPage)),
  ...screenOfBoth('qualificationStudents', () => students().then((page) => page.QualificationStudentsPage)),
  ...screenOfBoth('graduationClasses', () => classes().then((page) => page.GraduationClassesPage)),
  ...screenOfBoth('graduationStudents', () => students().then((page) => page.GraduationStudentsPage)),
]
