import { Form, Input } from '@arco-design/web-react'
import type { RowOf } from '@/api/operation'
import { BasicSelect, known } from '@/basic_data/BasicSelect'
import { fieldsOf } from '@/kit/Field'
import { FileUpload } from '@/kit/FileUpload'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import { PictureUpload } from '@/kit/PictureUpload'
import { Sections } from '@/kit/Sections'
import type { DrawerProps } from '@/kit/useDrawer'
import { editCourse, type listCourses, saveCourse, viewCourse } from './api'
import { CourseSelect, SeveralCourses } from './CourseSelect'

type Course = RowOf<typeof listCourses>
type Textbook = NonNullable<Course['textbook']>

const Field = fieldsOf(saveCourse)

const Basics = ({ course }: { course: Course | undefined }) => (
  <>
    <Field name="code" />
    <Field name="name" />
    <Field name="typeId" help="没有下级的课程类型">
      <CourseSelect type="curriculumType" known={known(course?.typeId, course?.typeName)} />
    </Field>
    <Field name="kind" help="留空时按课程类型" />
    <Field name="organizationId">
      <BasicSelect type="organization" known={known(course?.organizationId, course?.organizationName)} />
    </Field>
    <Field name="source" />
    <Field name="englishName" />
    <Field name="sortNo" />
    <Field name="coverUrl" help="">
      <PictureUpload width={178} height={100} />
    </Field>
    <Field name="introduction" />
  </>
)

const Hours = ({ course }: { course: Course | undefined }) => (
  <>
    <Field name="credits" help="0.5至30，0.5的倍数" />
    <Form.Item label="总学时" shouldUpdate>
      {(values: Partial<Course>) => (
        <output>
          {(values.lectureHours ?? 0) +
            (values.onlineHours ?? 0) +
            (values.practiceHours ?? 0) +
            (values.selfStudyHours ?? 0)}
        </output>
      )}
    </Form.Item>
    <Field name="lectureHours" />
    <Field name="onlineHours" />
    <Field name="practiceHours" />
    <Field name="selfStudyHours" />
    <Field name="prerequisiteIds" help="选课时检查是否已通过">
      <SeveralCourses
        except={course?.id}
        known={(course?.prerequisiteIds ?? []).map((code, at) => ({
          code,
          desc: course?.prerequisiteNames[at] ?? String(code),
        }))}
      />
    </Field>
  </>
)

const Examination = () => (
  <>
    <Field name="examForm" help="留空时取课程类型的默认考核类型" />
    <Field name="assessMode" />
    <Field name="degreeCourse" />
  </>
)

const bookFields: readonly (readonly [field: keyof Textbook, label: string, most: number])[] = [
  ['name', '教材名称', 100],
  ['author', '作者', 100],
  ['press', '出版社', 100],
  ['isbn', 'ISBN书号', 20],
  ['edition', '版次', 30],
]

const Teaching = () => (
  <>
    {bookFields.map(([field, label, most]) => (
      <Form.Item
        key={field}
        field={`textbook.${field}`}
        label={label}
        extra={field === 'isbn' ? '13位，可带短横线' : undefined}
      >
        <Input aria-label={label} maxLength={most} allowClear />
      </Form.Item>
    ))}
    <Field name="syllabusKey">
      <FileUpload type={3} accept=".pdf,.doc,.docx" />
    </Field>
  </>
)

/** A textbook of which nothing was typed is none. */
const withTextbook = (values: object) => {
  const textbook = 'textbook' in values ? values.textbook : undefined
  const typed = textbook && Object.values(textbook).some((text) => typeof text === 'string' && text.trim() !== '')
  return { ...values, textbook: typed ? textbook : null }
}

/** 新增 and 编辑 of a course (03 A5). */
export const CourseForm = ({ record, ...drawer }: DrawerProps<Course>) => (
  <FormDrawer<Course, RowOf<typeof saveCourse>>
    {...drawer}
    record={record}
    width={760}
    title={record ? `编辑课程 ${record.name}` : '新增课程'}
    initial={{ source: 'own', lectureHours: 0, onlineHours: 0, practiceHours: 0, selfStudyHours: 0, sortNo: 0 }}
    action={(course) => {
      const save = course ? formAction(editCourse, '已保存课程', course) : formAction(saveCourse, '已新增课程')
      // The total follows from its parts; the record's own would contradict what was typed.
      return { ...save, send: (values, request) => save.send({ ...withTextbook(values), hours: null }, request) }
    }}
    reload={(course, call) => call(viewCourse, { query: { id: course.id } })}
    keep={['typeId', 'organizationId', 'source', 'examForm', 'assessMode']}
  >
    <Sections
      label="课程资料"
      className="form-grid"
      sections={[
        { title: '基本信息', content: <Basics course={record} /> },
        { title: '学时学分', content: <Hours course={record} /> },
        { title: '考核', content: <Examination /> },
        { title: '教材', content: <Teaching /> },
      ]}
    />
  </FormDrawer>
)
