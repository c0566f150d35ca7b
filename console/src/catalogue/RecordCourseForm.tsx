import { Form } from '@arco-design/web-react'
import { useAllowed } from '@/api/identity'
import type { RowOf } from '@/api/operation'
import type { RecordContent } from '@/api/types/catalogue'
import type { CourseSubmission } from '@/api/types/shared'
import { known } from '@/basic_data/BasicSelect'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import { PictureUpload } from '@/kit/PictureUpload'
import { RichText } from '@/kit/RichText'
import { TabPanels } from '@/kit/TabList'
import type { DrawerProps } from '@/kit/useDrawer'
import { AttachmentsEditor } from './AttachmentsEditor'
import { editRecordCourse, saveRecordCourse, viewRecordCourse } from './api'
import { ChaptersEditor } from './ChaptersEditor'
import { CategorySelect, LecturerSelect } from './choices'
import { atItsFields, type ChapterDraft, chaptersOf, copiesOf, copyName, draftsOf } from './courseContent'
import { How, INTRODUCTION, Yuan } from './courseFields'

type View = RowOf<typeof viewRecordCourse>
type Content = RecordContent
type Submission = CourseSubmission

/** What stands in the form. */
interface Draft extends Omit<Content, 'chapters'> {
  id: number
  version: number
  submission: Submission
  chapters: ChapterDraft[]
}

const draftOf = ({ id, version, content }: View): Draft => ({
  ...content,
  id,
  version,
  submission: 'publish',
  chapters: draftsOf(content.chapters),
})

const copyOf = ({ content }: View): Partial<Draft> => ({
  ...content,
  courseName: copyName(content.courseName),
  chapters: copiesOf(content.chapters),
})

const Field = fieldsOf(saveRecordCourse)

/** The published lecturer's name is not that of another who stands in a version. */
const lecturerOf = (course: View | undefined) =>
  course?.lecturerId === course?.content.lecturerId ? known(course?.lecturerId, course?.lecturerName) : undefined

const Basics = ({ course }: { course: View | undefined }) => (
  <>
    <Field name="courseName" />
    <Field name="categoryId">
      <CategorySelect />
    </Field>
    <Field name="lecturerId">
      <LecturerSelect known={lecturerOf(course)} />
    </Field>
    <Field name="validDays" help="留空为永久有效" />
    <Field name="isFree" />
    <Field name="priceOriginal" label="原价">
      <Yuan />
    </Field>
    <Form.Item noStyle shouldUpdate>
      {({ isFree }: Partial<Draft>) =>
        isFree ? null : (
          <Field name="priceSale" label="优惠价" help="大于0且不高于原价">
            <Yuan />
          </Field>
        )
      }
    </Form.Item>
    <Field name="countBuyBase" help="网站显示的购买数 = 基数 + 实际购买数" />
    <Field name="submission" help="直接发布时立即生效；提交审核时，通过前已发布的内容不变">
      <How save={saveRecordCourse} edit={editRecordCourse} />
    </Field>
    <Field name="cover">
      <PictureUpload />
    </Field>
  </>
)

interface RecordCourseFormProps extends DrawerProps<View> {
  /** The record is what a new course begins with. */
  copied?: boolean
}

/** 新增, 编辑 and 复制 of a recorded course (01 §9.2). */
export const RecordCourseForm = ({ record: course, copied = false, ...drawer }: RecordCourseFormProps) => {
  const mayPublish = useAllowed()(editRecordCourse)
  const media = (course?.media ?? []).map(({ id, title }) => ({ code: id, desc: title }))
  const files = (course?.attachments ?? []).map(({ key, name }) => ({ file: key, name }))
  return (
    <FormDrawer<Draft, { id: number }>
      {...drawer}
      record={course && !copied ? draftOf(course) : undefined}
      title={course ? `${copied ? '复制' : '编辑'}录播课程 ${course.courseName}` : '新增录播课程'}
      width={960}
      initial={{
        isFree: false,
        priceOriginal: 0,
        priceSale: 0,
        countBuyBase: 0,
        chapters: [],
        ...(copied && course ? copyOf(course) : {}),
        submission: mayPublish ? 'publish' : 'review',
      }}
      action={(edited) => {
        const save = edited
          ? formAction(editRecordCourse, '已保存录播课程', edited)
          : formAction(saveRecordCourse, '已新增录播课程')
        return {
          ...save,
          send: async (values, request) => {
            const { chapters = [], isFree, ...rest }: Partial<Draft> = values
            const free = isFree ? { priceSale: 0 } : {}
            try {
              return await save.send({ ...rest, isFree, ...free, chapters: chaptersOf(chapters) }, request)
            } catch (error) {
              throw atItsFields(error)
            }
          },
        }
      }}
      reload={async (edited, call) => draftOf(await call(viewRecordCourse, { query: { id: edited.id } }))}
    >
      <TabPanels
        label="录播课程"
        className="form-grid"
        panels={[
          { title: '基本', content: <Basics course={course} /> },
          {
            title: '介绍',
            content: (
              <Field name="introduce">
                <RichText most={INTRODUCTION} />
              </Field>
            ),
          },
          {
            title: '章节课时',
            content: (
              <div className="form-wide">
                <Field name="chapters" required={false} help="上架前至少添加一个课时">
                  <ChaptersEditor media={media} />
                </Field>
              </div>
            ),
          },
          {
            title: '附件',
            content: (
              <div className="form-wide">
                <p className="version-facts">每个课时最多10个，单个最大50MB；学员购买后可下载</p>
                <Form.Item field="chapters" noStyle>
                  <AttachmentsEditor known={files} />
                </Form.Item>
              </div>
            ),
          },
        ]}
      />
    </FormDrawer>
  )
}
