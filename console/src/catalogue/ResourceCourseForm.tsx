import { Form } from '@arco-design/web-react'
import { useAllowed } from '@/api/identity'
import type { RowOf } from '@/api/operation'
import type { ResourceContent } from '@/api/types/catalogue'
import type { CourseSubmission } from '@/api/types/shared'
import { known } from '@/basic_data/BasicSelect'
import { fieldsOf } from '@/kit/Field'
import { FileUpload } from '@/kit/FileUpload'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import { PictureUpload } from '@/kit/PictureUpload'
import { RichText } from '@/kit/RichText'
import { TabPanels } from '@/kit/TabList'
import type { DrawerProps } from '@/kit/useDrawer'
import { editResourceCourse, listResourceCategories, saveResourceCourse, viewResourceCourse } from './api'
import { CategorySelect, LecturerSelect } from './choices'
import { How, INTRODUCTION, Yuan } from './courseFields'

type View = RowOf<typeof viewResourceCourse>
type Content = ResourceContent
type Submission = CourseSubmission

/** What stands in the form. */
interface Draft extends Content {
  id: number
  version: number
  submission: Submission
}

const draftOf = ({ id, version, content }: View): Draft => ({
  ...content,
  id,
  version,
  submission: 'publish',
})

/** What the library takes. */
const KINDS = '.doc,.docx,.xls,.xlsx,.ppt,.pptx,.pdf,.zip'

const Field = fieldsOf(saveResourceCourse)

/** The published lecturer's name is not that of another who stands in a version. */
const lecturerOf = (course: View | undefined) =>
  course?.lecturerId === course?.content.lecturerId ? known(course?.lecturerId, course?.lecturerName) : undefined

const Basics = ({ course }: { course: View | undefined }) => (
  <>
    <Field name="courseName" />
    <Field name="categoryId">
      <CategorySelect of={listResourceCategories} />
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
      <How save={saveResourceCourse} edit={editResourceCourse} />
    </Field>
    <Field name="cover">
      <PictureUpload />
    </Field>
  </>
)

/** 新增 and 编辑 of a file of the library (01 §9.2). */
export const ResourceCourseForm = ({ record: course, ...drawer }: DrawerProps<View>) => {
  const mayPublish = useAllowed()(editResourceCourse)
  return (
    <FormDrawer<Draft, { id: number }>
      {...drawer}
      record={course && draftOf(course)}
      title={course ? `编辑文库资源 ${course.courseName}` : '新增文库资源'}
      width={960}
      initial={{
        isFree: false,
        priceOriginal: 0,
        priceSale: 0,
        countBuyBase: 0,
        submission: mayPublish ? 'publish' : 'review',
      }}
      action={(edited) => {
        const save = edited
          ? formAction(editResourceCourse, '已保存文库资源', edited)
          : formAction(saveResourceCourse, '已新增文库资源')
        return {
          ...save,
          send: (values, request) => {
            const { isFree }: Partial<Draft> = values
            return save.send(isFree ? { ...values, priceSale: 0 } : values, request)
          },
        }
      }}
      reload={async (edited, call) => draftOf(await call(viewResourceCourse, { query: { id: edited.id } }))}
    >
      <TabPanels
        label="文库资源"
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
            title: '文件',
            content: (
              <>
                <Field
                  name="resourceFileKey"
                  required={false}
                  help="doc、xls、ppt、pdf、zip等，最大200MB；上架前须上传"
                >
                  <FileUpload type={3} purpose="library" accept={KINDS} />
                </Field>
                <Field name="resourceFileName" help="下载时的文件名，含扩展名" />
                <Field name="resourcePages" />
              </>
            ),
          },
        ]}
      />
    </FormDrawer>
  )
}
