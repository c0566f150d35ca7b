import { Empty } from '@arco-design/web-react'
import { useAllowed } from '@/api/identity'
import { InSemester } from '@/course_opening/SemesterFilter'
import { listGraduationScores } from '@/graduation_grades/api'
import { Page } from '@/kit/Page'
import { TabList } from '@/kit/TabList'
import { usePageTab } from '@/kit/usePageTab'
import { paths } from '@/paths'
import { ComponentsTab } from './ComponentsTab'
import { ExamsTab } from './ExamsTab'
import { type GradeKind, GradesTab } from './GradesTab'
import { RulesTab } from './RulesTab'
import { isComponent, type ScoreKind } from './scoreWords'
import { TotalsTab } from './TotalsTab'
import './scores.css'

const DETAILS = 'details'
const tabs = [
  ['rules', '规则'],
  [DETAILS, '成绩明细'],
] as const

const titles: Readonly<Record<ScoreKind, string>> = {
  study: '课程学习成绩',
  homework: '在线作业成绩',
  final_exam: '期末考试成绩',
  attendance: '考勤成绩',
  questions: '答疑成绩',
  thesis: '论文成绩',
  review: '评阅成绩',
  defense: '答辩成绩',
  total: '总评成绩',
  graduation_total: '毕业总成绩',
}

/** Where the scores of a thesis are entered. */
const entered: Readonly<Record<GradeKind, string>> = {
  thesis: paths.thesisGrades,
  review: paths.reviewGrades,
  defense: paths.defenseGrades,
  graduation_total: paths.graduationTotals,
}

/** What a thesis was given, for whoever may read it; it is entered elsewhere. */
const OfTheses = ({ kind }: { kind: GradeKind }) => {
  const allowed = useAllowed()
  if (!allowed(listGraduationScores)) {
    return (
      <div className="school-first">
        <Empty description={`${titles[kind]}在毕业成绩中录入、审核和发布，您没有查看毕业成绩的权限`} />
      </div>
    )
  }
  return <GradesTab kind={kind} place={entered[kind]} label={titles[kind]} />
}

const Details = ({ kind }: { kind: ScoreKind }) => {
  if (kind === 'total')
    return <InSemester>{(semester) => <TotalsTab key={semester?.code} semester={semester} />}</InSemester>
  if (kind === 'final_exam')
    return <InSemester>{(semester) => <ExamsTab key={semester?.code} semester={semester} />}</InSemester>
  if (!isComponent(kind)) return <OfTheses kind={kind} />
  return <InSemester>{(semester) => <ComponentsTab key={semester?.code} kind={kind} semester={semester} />}</InSemester>
}

/** 成绩设置 of one kind: how it is computed for whom, and what came of it (04 §5.5). */
const ScoreRulesPage = ({ kind }: { kind: ScoreKind }) => {
  const [asked, setTab] = usePageTab()
  const tab = asked === DETAILS ? DETAILS : 'rules'
  return (
    <Page title={titles[kind]} help="规则越具体越优先：课程、专业、层次、年级；没有其他规则的用默认规则。">
      <div className="list-tabs">
        <TabList
          label={titles[kind]}
          tabs={tabs}
          value={tab}
          onChange={(next) => setTab(next === DETAILS ? DETAILS : undefined)}
        />
      </div>
      {tab === DETAILS ? <Details kind={kind} /> : <RulesTab kind={kind} />}
    </Page>
  )
}

export const StudyRulesPage = () => <ScoreRulesPage kind="study" />
export const HomeworkRulesPage = () => <ScoreRulesPage kind="homework" />
export const FinalExamRulesPage = () => <ScoreRulesPage kind="final_exam" />
export const AttendanceRulesPage = () => <ScoreRulesPage kind="attendance" />
export const QuestionRulesPage = () => <ScoreRulesPage kind="questions" />
export const ThesisRulesPage = () => <ScoreRulesPage kind="thesis" />
export const ReviewRulesPage = () => <ScoreRulesPage kind="review" />
export const DefenseRulesPage = () => <ScoreRulesPage kind="defense" />
export const TotalRulesPage = () => <ScoreRulesPage kind="total" />
export const GraduationRulesPage = () => <ScoreRulesPage kind="graduation_total" />
