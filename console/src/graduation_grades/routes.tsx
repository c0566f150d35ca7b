import { screen } from '@/kit/screen'
import { paths } from '@/paths'

const grades = () => import('./GradesPage')

export const routes = [
  ...screen(paths.internships, () => import('./InternshipsPage').then((page) => page.InternshipsPage)),
  ...screen(paths.thesisGrades, () => grades().then((page) => page.ThesisGradesPage)),
  ...screen(paths.reviewGrades, () => grades().then((page) => page.ReviewGradesPage)),
  ...screen(paths.defenseGrades, () => grades().then((page) => page.DefenseGradesPage)),
  ...screen(paths.graduationTotals, () => grades().then((page) => page.GraduationTotalsPage)),
]
