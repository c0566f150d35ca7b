import { routes as accounts } from '@/accounts/routes'
import { routes as admission } from '@/admission/routes'
import { routes as basicData } from '@/basic_data/routes'
import { routes as catalogue } from '@/catalogue/routes'
import { routes as certificates } from '@/certificates/routes'
import { routes as community } from '@/community/routes'
import { routes as courseOpening } from '@/course_opening/routes'
import { routes as courseSelection } from '@/course_selection/routes'
import { routes as courses } from '@/courses/routes'
import { routes as enrolment } from '@/enrolment/routes'
import { routes as examDay } from '@/exam_day/routes'
import { routes as examSeats } from '@/exam_seats/routes'
import { routes as exams } from '@/exams/routes'
import { routes as fieldAttributes } from '@/field_attributes/routes'
import { routes as graduation } from '@/graduation/routes'
import { routes as graduationGrades } from '@/graduation_grades/routes'
import { routes as homework } from '@/homework/routes'
import { routes as informationReview } from '@/information_review/routes'
import { routes as instruction } from '@/instruction/routes'
import type { Screen } from '@/kit/screen'
import { routes as learners } from '@/learners/routes'
import { routes as lecturers } from '@/lecturers/routes'
import { routes as live } from '@/live/routes'
import { routes as logs } from '@/logs/routes'
import { routes as marketing } from '@/marketing/routes'
import { routes as messages } from '@/messages/routes'
import { routes as monitor } from '@/monitor/routes'
import { routes as offlineExams } from '@/offline_exams/routes'
import { routes as onlineExams } from '@/online_exams/routes'
import { routes as onlineStudy } from '@/online_study/routes'
import { routes as orders } from '@/orders/routes'
import { routes as overview } from '@/overview/routes'
import { routes as people } from '@/people/routes'
import { routes as questionBank } from '@/question_bank/routes'
import { routes as quizClasses } from '@/quiz_classes/routes'
import { routes as quizzes } from '@/quizzes/routes'
import { routes as recruitment } from '@/recruitment/routes'
import { routes as registration } from '@/registration/routes'
import { routes as schools } from '@/schools/routes'
import { routes as scores } from '@/scores/routes'
import { routes as settings } from '@/settings/routes'
import { routes as siteContent } from '@/site_content/routes'
import { routes as siteStudy } from '@/site_study/routes'
import { routes as statistics } from '@/statistics/routes'
import { routes as statusChange } from '@/status_change/routes'
import { routes as studentStatus } from '@/student_status/routes'
import { routes as supervision } from '@/supervision/routes'
import { routes as support } from '@/support/routes'
import { routes as teachingPlan } from '@/teaching_plan/routes'
import { routes as thesis } from '@/thesis/routes'
import { routes as timetable } from '@/timetable/routes'
import { routes as wechat } from '@/wechat/routes'

/** One line a room. `shipped_routes.txt` holds the same paths for the server's menu, and a test compares them. */
export const screens: readonly Screen[] = [
  ...accounts,
  ...admission,
  ...basicData,
  ...catalogue,
  ...marketing,
  ...orders,
  ...learners,
  ...lecturers,
  ...live,
  ...siteStudy,
  ...quizzes,
  ...quizClasses,
  ...community,
  ...wechat,
  ...courses,
  ...courseOpening,
  ...courseSelection,
  ...onlineStudy,
  ...timetable,
  ...instruction,
  ...homework,
  ...exams,
  ...onlineExams,
  ...examSeats,
  ...examDay,
  ...offlineExams,
  ...scores,
  ...thesis,
  ...graduationGrades,
  ...graduation,
  ...certificates,
  ...fieldAttributes,
  ...logs,
  ...messages,
  ...monitor,
  ...overview,
  ...people,
  ...questionBank,
  ...enrolment,
  ...recruitment,
  ...registration,
  ...informationReview,
  ...schools,
  ...settings,
  ...siteContent,
  ...statistics,
  ...statusChange,
  ...studentStatus,
  ...support,
  ...supervision,
  ...teachingPlan,
]
