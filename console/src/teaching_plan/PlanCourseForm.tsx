import { Form, Select } from '@arco-design/web-react'
import type { DataOf } from '@/api/operation'
import { known } from '@/basic_data/BasicSelect'
import { CourseSelect, SeveralCourses } from '@/courses/CourseSelect'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import { formatNumber, formatTenths } from '@/kit/format'
import type { DrawerProps } from '@/kit/useDrawer'
import { editPlanCourse, savePlanCourses, viewTeachingPlanOfMajor } from './api'
import { type PlanContent, type PlanCourse, type PlanGroup, termsOf } from './planRules'

const Field = fieldsOf(editPlanCourse)

type Typed = Partial<Pick<PlanCourse, 'nature' | 'electiveGroupId' | 'lectureHours' | 'onlineHours'>> &
  Partial<Pick<PlanCourse, 'practiceHours' | 'selfStudyHours'>>

interface ChoiceProps {
  value?: number
  onChange?: (value: number) => void
  'aria-label'?: string
}

const TermSelect = ({ count, ...choice }: ChoiceProps & { count: number }) => (
  <Select
    {...choice}
    placeholder="请选择"
    options={termsOf(count).map((term) => ({ value: term, label: `第${term}学期` }))}
  />
)

const GroupSelect = ({ groups, ...choice }: ChoiceProps & { groups: readonly PlanGroup[] }) => (
  <Select
    {...choice}
    placeholder="请选择"
    notFoundContent="请先新增选修组"
    options={groups.map(({ id, name, minCredits }) => ({
      value: id,
      label: `${name}（最低${formatTenths(minCredits)}学分）`,
    }))}
  />
)

/** Nature and term, and the group of what is not compulsory. */
const Place = ({ content: { plan, groups } }: { content: PlanContent }) => (
  <>
    <Field name="nature" />
    <Field name="termNo">
      <TermSelect count={plan.termCount} />
    </Field>
    <Form.Item noStyle shouldUpdate>
      {({ nature }: Typed) =>
        nature !== undefined &&
        nature !== 'compulsory' && (
          <Field name="electiveGroupId" required>
            <GroupSelect groups={groups} />
          </Field>
        )
      }
    </Form.Item>
  </>
)

/** A compulsory course is in no group, whatever was chosen before. */
const placed = (values: object) =>
  'nature' in values && values.nature === 'compulsory' ? { ...values, electiveGroupId: null } : values

interface ContentProps<Row> extends DrawerProps<Row> {
  content: PlanContent
}

/** As it is edited: under the version of its plan. */
const underPlan = (course: PlanCourse, { plan }: PlanContent): PlanCourse => ({ ...course, version: plan.version })

/** 编辑 of a course in a draft; what the library says of it stays as it is. */
export const PlanCourseForm = ({ content, record: course, ...drawer }: ContentProps<PlanCourse>) => (
  <FormDrawer<PlanCourse, DataOf<typeof editPlanCourse>>
    {...drawer}
    record={course && underPlan(course, content)}
    width={680}
    title={`编辑计划课程 ${course?.courseName ?? ''}`}
    action={(held) => {
      const edit = formAction(editPlanCourse, `已保存“${course?.courseName}”`, held)
      // The total follows from its parts; the record's own would contradict what was typed.
      return { ...edit, send: (values, request) => edit.send({ ...placed(values), hours: null }, request) }
    }}
    reload={async (held, call) => {
      const fresh = await call(viewTeachingPlanOfMajor, { query: { planId: held.planId } })
      return underPlan(fresh.courses.find(({ id }) => id === held.id) ?? held, fresh)
    }}
  >
    <Place content={content} />
    <Field name="typeId">
      <CourseSelect type="curriculumType" known={known(course?.typeId, course?.typeName)} />
    </Field>
    <Field name="credits" />
    <Form.Item label="总学时" shouldUpdate>
      {({ lectureHours = 0, onlineHours = 0, practiceHours = 0, selfStudyHours = 0 }: Typed) => (
        <output>{formatNumber(lectureHours + onlineHours + practiceHours + selfStudyHours)}</output>
      )}
    </Form.Item>
    <Field name="lectureHours" />
    <Field name="onlineHours" />
    <Field name="practiceHours" />
    <Field name="selfStudyHours" />
    <Field name="examForm" />
    <Field name="assessMode" />
    <Field name="degreeCourse" />
    <Field name="sortNo" />
    <Field name="remark" />
  </FormDrawer>
)

/** What is chosen of courses that come into a plan together. */
interface Adding {
  courseIds: number[]
  nature: PlanCourse['nature']
  termNo: number
  electiveGroupId?: number | null
}

const itemsOf = ({ courseIds, ...place }: Partial<Adding>) =>
  (courseIds ?? []).map((courseId) => ({ ...placed(place), courseId }))

/** 添加课程: several of the library at once, all into one term. */
export const AddCourses = ({ content, ...drawer }: ContentProps<true>) => {
  const { plan } = content
  return (
    <FormDrawer<Adding, DataOf<typeof savePlanCourses>>
      {...drawer}
      record={undefined}
      title="添加课程"
      okText="添加"
      initial={{ nature: 'compulsory', termNo: 1, courseIds: [] }}
      keep={['nature', 'termNo', 'electiveGroupId']}
      action={() => {
        const save = formAction(savePlanCourses, ({ ids }) => `已添加${formatNumber(ids.length)}门课程`, {
          planId: plan.id,
          version: plan.version,
        })
        return { ...save, send: (values, request) => save.send({ items: itemsOf(values) }, request) }
      }}
    >
      <Form.Item
        field="courseIds"
        label="课程"
        required
        rules={[{ type: 'array', minLength: 1, message: '请选择课程' }]}
        extra="按名称、代码或拼音首字母查找；学分、学时和考核取课程的默认值，添加后可以修改"
      >
        <SeveralCourses aria-label="课程" known={[]} />
      </Form.Item>
      <Place content={content} />
    </FormDrawer>
  )
}
