import { Alert, Modal, Space } from '@arco-design/web-react'
import { useHref, useNavigate } from 'react-router'
import { ApiError } from '@/api/errors'
import { useIdentity } from '@/api/identity'
import { useSchoolContext } from '@/api/schoolContext'
import { paths, platformPaths, type SharedPath } from '@/paths'
import { formatNumber } from './format'
import { pageOf } from './menus'
import { usePlaces } from './usePlaces'

/** Records of one kind that refer to another by one of their fields. */
export interface Reference {
  /** Their table. */
  entity: string
  /** With its measure word: 名学生. */
  counted: string
  count: number
  field: string
  /** The record to which they refer. */
  id: number
}

const isReference = (value: unknown): value is Reference =>
  typeof value === 'object' &&
  value !== null &&
  'entity' in value &&
  typeof value.entity === 'string' &&
  'counted' in value &&
  typeof value.counted === 'string' &&
  'count' in value &&
  typeof value.count === 'number' &&
  'field' in value &&
  typeof value.field === 'string' &&
  'id' in value &&
  typeof value.id === 'number'

/** What refers to a record that was to be deleted, where that is why it stays. */
export const referencesIn = (error: unknown): readonly Reference[] => {
  if (!(error instanceof ApiError) || error.code !== 409) return []
  const { data } = error
  if (typeof data !== 'object' || data === null || !('references' in data)) return []
  return Array.isArray(data.references) ? data.references.filter(isReference) : []
}

type Place = keyof typeof paths

/** The list of a table: where it is, and by which fields it shows the records that refer to one. */
interface ListOf {
  place: Place
  fields: readonly string[]
  /** The tab of a page with several lists. */
  tab?: string
  /** What it lists, where a table has several lists. */
  word?: string
}

/** Of the tables whose records stand in a list of their own. A test looks whether the lists have these filters. */
export const lists: Readonly<Record<string, ListOf>> = {
  admission: { place: 'admissionData', fields: ['batchId', 'gradeId', 'levelId', 'majorId', 'siteId'] },
  archive: { place: 'archives', fields: ['batchId', 'studentId'] },
  change_batch_grade: { place: 'changeBatches', fields: ['gradeId'] },
  class: { place: 'classes', fields: ['gradeId', 'levelId', 'majorId', 'managerId', 'siteId'] },
  class_manager_site: { place: 'classManagers', fields: ['siteId'] },
  course: { place: 'courses', fields: ['organizationId', 'typeId'] },
  course_record: { place: 'courseRecords', fields: ['courseId'] },
  defense_group: { place: 'theses', fields: ['planId'], tab: 'defense' },
  degree_application: { place: 'graduates', fields: ['batchId', 'studentId'], tab: 'degree' },
  enrollment_batch: { place: 'enrollmentBatches', fields: ['gradeId'] },
  exam_deferral: { place: 'examDay', fields: ['batchId', 'courseId', 'studentId'], tab: 'deferral' },
  exam_marker: { place: 'examMarkers', fields: ['setupId', 'teacherId'] },
  exam_room: { place: 'examRooms', fields: ['siteId'] },
  external_exam_score: { place: 'graduates', fields: ['studentId'], tab: 'external' },
  graduation_user: { place: 'graduates', fields: ['batchId', 'studentId'] },
  invigilator: { place: 'invigilators', fields: ['siteId'] },
  major: { place: 'schoolMajors', fields: ['levelId', 'organizationId'] },
  offline_session: { place: 'examSessions', fields: ['batchId'] },
  pre_registration: { place: 'preRegistrations', fields: ['batchId', 'gradeId', 'levelId', 'majorId', 'siteId'] },
  pre_registration_batch: { place: 'preRegistrationBatches', fields: ['gradeId'] },
  registration: { place: 'registrations', fields: ['batchId', 'gradeId', 'levelId', 'majorId', 'siteId'] },
  score_sheet: { place: 'scoreSheets', fields: ['batchId', 'classId', 'courseId', 'semesterId', 'teacherId'] },
  site: { place: 'sites', fields: ['organizationId'] },
  site_enrollment: { place: 'siteEnrollments', fields: ['batchId', 'siteId'] },
  site_staff: { place: 'classManagers', fields: ['siteId'], tab: 'staff' },
  student: { place: 'students', fields: ['classId', 'gradeId', 'levelId', 'majorId', 'siteId'] },
  student_correction: { place: 'students', fields: ['studentId'], tab: 'corrections' },
  student_discipline: { place: 'graduates', fields: ['studentId'], tab: 'discipline' },
  teacher: { place: 'teachers', fields: ['organizationId'] },
  test_batch: { place: 'testBatches', fields: ['semesterId'] },
  thesis: { place: 'theses', fields: ['adviserId', 'planId', 'studentId'] },
  thesis_adviser: { place: 'theses', fields: ['planId'], tab: 'advisers' },
  thesis_plan: { place: 'theses', fields: ['semesterId'], tab: 'plans' },
  thesis_topic: { place: 'theses', fields: ['planId', 'teacherId'], tab: 'topics' },
}

const setups = ['batchId', 'courseId', 'semesterId'] as const

/** Of the tables whose records stand in several lists, each with its own part of them. */
export const several: Readonly<Record<string, readonly ListOf[]>> = {
  exam_setup: [
    { place: 'onlineExams', fields: setups, word: '在线考试' },
    { place: 'offlineExams', fields: [...setups, 'sessionId'], word: '线下考试' },
  ],
  exam_setup_class: [
    { place: 'onlineExams', fields: ['classId'], word: '在线考试' },
    { place: 'offlineExams', fields: ['classId'], word: '线下考试' },
  ],
}

const listsOf = (entity: string): readonly ListOf[] => {
  const only = lists[entity]
  return only ? [only] : (several[entity] ?? [])
}

const isShared = (place: Place): place is SharedPath => place in platformPaths

type Query = Readonly<Record<string, string | number | undefined>>

/** A list with the records that refer to the record. */
interface Way {
  to: string
  word: string | undefined
}

/** Where the records are listed that refer to the record; nowhere when no list is filtered by that field. */
export const waysTo = (
  { entity, field, id }: Reference,
  shared: (place: SharedPath, query: Query) => string,
  area: 'school' | 'platform',
): readonly Way[] =>
  listsOf(entity).flatMap(({ place, fields, tab, word }) => {
    if (!fields.includes(field)) return []
    const query = { ...(tab && { tab }), [field]: id }
    if (isShared(place)) return { to: shared(place, query), word }
    const search = Object.entries(query).map(([name, value]) => [name, String(value)])
    return area === 'school' ? { to: `${paths[place]}?${new URLSearchParams(search)}`, word } : []
  })

/** Tells what refers to a record, each kind with the way to its list; `leads`: whether there is any that the person may go. */
export const useReferences = () => {
  const navigate = useNavigate()
  const root = useHref('/').replace(/\/$/, '')
  const places = usePlaces()
  const { area } = useSchoolContext()
  const menus = useIdentity((state) => state.menus) ?? []
  const waysOf = (reference: Reference) =>
    waysTo(reference, places, area).filter(({ to }) => pageOf(menus, to.split('?')[0] ?? to))
  const leads = (error: unknown) => referencesIn(error).some((reference) => waysOf(reference).length > 0)
  const tell = (error: unknown) => {
    if (!(error instanceof ApiError) || !leads(error)) return
    const dialog = Modal.warning({
      title: '已被引用',
      okText: '知道了',
      style: { width: 480 },
      content: (
        <>
          <Alert className="form-lead" type="warning" content={error.message} />
          <ul aria-label="引用">
            {referencesIn(error).map((reference) => {
              const words = `${formatNumber(reference.count)}${reference.counted}`
              const ways = waysOf(reference)
              return (
                <li key={`${reference.entity}-${reference.field}`}>
                  <Space>
                    {ways.every(({ word }) => word) && words}
                    {ways.map(({ to, word }) => (
                      <a
                        key={to}
                        className="overview-link"
                        href={root + to}
                        onClick={(event) => {
                          dialog.close()
                          if (event.ctrlKey || event.metaKey || event.shiftKey) return
                          event.preventDefault()
                          navigate(to)
                        }}
                      >
                        {`查看${word ?? words}`}
                      </a>
                    ))}
                  </Space>
                </li>
              )
            })}
          </ul>
        </>
      ),
    })
  }
  return { leads, tell }
}
