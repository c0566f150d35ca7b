// @vitest-environment happy-dom
import { expect, it } from 'vitest'
import { listAdmissions } from '@/admission/api'
import { ApiError } from '@/api/errors'
import type { OperationMeta } from '@/api/operation'
import { listClasses, listMajors, listSites } from '@/basic_data/api'
import { listArchives } from '@/certificates/api'
import { listCorrections } from '@/corrections/api'
import { listCourseRecords, listCourses } from '@/courses/api'
import { listEnrollmentBatches, listSiteEnrollments } from '@/enrolment/api'
import { listInvigilators } from '@/exam_day/api'
import { listExamRooms, listExamSessions } from '@/exam_seats/api'
import { listDeferrals, listExamMarkers, listTestBatches } from '@/exams/api'
import { listDegrees, listDisciplines, listExternalExams, listGraduates } from '@/graduation/api'
import { lists, referencesIn, several, waysTo } from '@/kit/references'
import { listOfflineSetups } from '@/offline_exams/api'
import { listOnlineSetups } from '@/online_exams/api'
import { listClassManagers, listSiteStaff, listTeachers } from '@/people/api'
import { listPreRegistrationBatches, listPreRegistrations } from '@/recruitment/api'
import { listRegistrations } from '@/registration/api'
import { listScoreSheets } from '@/scores/api'
import { listChangeBatches } from '@/status_change/api'
import { listStudents } from '@/student_status/api'
import { listDefenseGroups, listTheses, listThesisAdvisers, listThesisPlans, listThesisTopics } from '@/thesis/api'
import { paths, placeOf } from './paths'

/** The operations of the lists to which a reference leads. */
const operations: Record<string, OperationMeta> = {
  admission: listAdmissions,
  archive: listArchives,
  change_batch_grade: listChangeBatches,
  class: listClasses,
  class_manager_site: listClassManagers,
  course: listCourses,
  course_record: listCourseRecords,
  defense_group: listDefenseGroups,
  degree_application: listDegrees,
  enrollment_batch: listEnrollmentBatches,
  exam_deferral: listDeferrals,
  exam_marker: listExamMarkers,
  exam_room: listExamRooms,
  external_exam_score: listExternalExams,
  graduation_user: listGraduates,
  invigilator: listInvigilators,
  major: listMajors,
  offline_session: listExamSessions,
  pre_registration: listPreRegistrations,
  pre_registration_batch: listPreRegistrationBatches,
  registration: listRegistrations,
  score_sheet: listScoreSheets,
  site: listSites,
  site_enrollment: listSiteEnrollments,
  site_staff: listSiteStaff,
  student: listStudents,
  student_correction: listCorrections,
  student_discipline: listDisciplines,
  teacher: listTeachers,
  test_batch: listTestBatches,
  thesis: listTheses,
  thesis_adviser: listThesisAdvisers,
  thesis_plan: listThesisPlans,
  thesis_topic: listThesisTopics,
}

it('leads to lists that have the filter', () => {
  expect(Object.keys(lists)).toEqual(Object.keys(operations))
  const missing = Object.entries(lists).flatMap(([entity, { fields }]) =>
    fields.filter((field) => !(field in (operations[entity]?.fields ?? {}))).map((field) => `${entity}.${field}`),
  )
  expect(missing).toEqual([])
  const ofPlace: Record<string, OperationMeta> = { onlineExams: listOnlineSetups, offlineExams: listOfflineSetups }
  for (const { place, fields, word } of Object.values(several).flat()) {
    expect(word).toBeDefined()
    for (const field of fields) expect(Object.keys(ofPlace[place]?.fields ?? {})).toContain(field)
  }
})

const students = { entity: 'student', counted: '名学生', count: 312, field: 'gradeId', id: 7 }
const refusal = (data: unknown, code = 409) => new ApiError(code, '“2026级”已被引用，不能删除：312名学生', data)

it('reads what refers to a record from the refusal alone', () => {
  expect(referencesIn(refusal({ references: [students, { entity: 'class' }] }))).toEqual([students])
  expect(referencesIn(refusal({ references: [students] }, 422))).toEqual([])
  for (const data of [null, 'x', {}, { references: 1 }]) expect(referencesIn(refusal(data))).toEqual([])
  expect(referencesIn(new Error('x'))).toEqual([])
})

it('stays in the area, and leads nowhere without a list', () => {
  const inSchool = (reference: typeof students) => waysTo(reference, placeOf, 'school')[0]?.to
  expect(inSchool(students)).toBe(`${paths.students}?gradeId=7`)
  expect(inSchool({ ...students, field: 'createdBy' })).toBeUndefined()
  expect(inSchool({ ...students, entity: 'classroom' })).toBeUndefined()
  expect(inSchool({ ...students, entity: 'site_staff', field: 'siteId' })).toBe(
    `${paths.classManagers}?tab=staff&siteId=7`,
  )
  const batches = { ...students, entity: 'enrollment_batch' }
  expect(inSchool(batches)).toBe(`${paths.enrollmentBatches}?gradeId=7`)
  const ofSchool = (reference: typeof students) =>
    waysTo(reference, (place, query) => placeOf(place, query, { schoolId: 3 }), 'platform')[0]?.to
  expect(ofSchool(batches)).toBeUndefined()
  expect(ofSchool(students)).toBe('/platformPC/studentStatus/studentRoll/BeRegistered?schoolId=3&gradeId=7')
})

it('leads to each list of records that stand in several', () => {
  const setups = { entity: 'exam_setup', counted: '个考试安排', count: 5, field: 'courseId', id: 7 }
  expect(waysTo(setups, placeOf, 'school')).toEqual([
    { to: `${paths.onlineExams}?courseId=7`, word: '在线考试' },
    { to: `${paths.offlineExams}?courseId=7`, word: '线下考试' },
  ])
  const ofSession = waysTo({ ...setups, field: 'sessionId' }, placeOf, 'school')
  expect(ofSession.map(({ word }) => word)).toEqual(['线下考试'])
})
