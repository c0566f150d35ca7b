import { screen } from '@/kit/screen'
import { paths } from '@/paths'
import { screenOfBoth } from '@/schools/screens'

const rules = () => import('./ScoreRulesPage')
const reviews = () => import('./ReviewPage')

export const routes = [
  ...screenOfBoth('studyRules', () => rules().then((page) => page.StudyRulesPage)),
  ...screenOfBoth('homeworkRules', () => rules().then((page) => page.HomeworkRulesPage)),
  ...screenOfBoth('finalExamRules', () => rules().then((page) => page.FinalExamRulesPage)),
  ...screenOfBoth('attendanceRules', () => rules().then((page) => page.AttendanceRulesPage)),
  ...screenOfBoth('questionRules', () => rules().then((page) => page.QuestionRulesPage)),
  ...screen(paths.thesisRules, () => rules().then((page) => page.ThesisRulesPage)),
  ...screen(paths.reviewRules, () => rules().then((page) => page.ReviewRulesPage)),
  ...screen(paths.defenseRules, () => rules().then((page) => page.DefenseRulesPage)),
  ...screenOfBoth('totalRules', () => rules().then((page) => page.TotalRulesPage)),
  ...screen(paths.graduationRules, () => rules().then((page) => page.GraduationRulesPage)),
  ...screenOfBoth('scoreSheets', () => import('./SheetsPage').then((page) => page.SheetsPage)),
  ...screen(paths.enteredScores, () => import('./EntryPage').then((page) => page.EntryPage)),
  ...screen(paths.offlineScores, () => import('./OfflineScores').then((page) => page.OfflineScoresPage)),
  ...screenOfBoth('scoreReviews', () => reviews().then((page) => page.FirstReviewPage)),
  ...screen(paths.makeupReviews, () => reviews().then((page) => page.MakeupReviewPage)),
  ...screenOfBoth('achievements', () => import('./AchievementPage').then((page) => page.AchievementPage)),
]
