import { Form } from '@arco-design/web-react'
import { useAllowed } from '@/api/identity'
import type { RowOf } from '@/api/operation'
import type { LiveContent } from '@/api/types/catalogue'
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
import { editLiveCourse, listLiveCategories, saveLiveCourse, viewLiveCourse } from './api'
import { CategorySelect, LecturerSelect } from './choices'
import { atItsFields } from './courseContent'
import { How, INTRODUCTION, Yuan } from './courseFields'
import { LiveChaptersEditor } from './LiveChaptersEditor'
import { type LiveChapterDraft, liveChaptersOf, liveDraftsOf } from './liveContent'

type View = RowOf<typeof viewLiveCourse>
type Content = LiveContent
type Submission = CourseSubmission

/** What stands in the form. */
interface Draft extends Omit<Content, 'chapters'> {
  id: number
  version: number
  submission: Submission
  chapters: LiveChapterDraft[]
}

const draftOf = ({ id, version, content }: View): Draft => ({
  ...content,
  id,
  version,
  submission: 'publish',
  chapters: liveDraftsOf(content.chapters),
})

const Field = fieldsOf(saveLiveCourse)

/** The published lecturer's name is not that of another who stands in a version. */
const lecturerOf = (course: View | undefined) =>
  course?.lecturerId === course?.content.lecturerId ? known(course?.lecturerId, course?.lecturerName) : undefined

const Basics = ({ course }: { course: View | undefined }) => (
  <>
    <Field name="courseName" />
    <Field name="categoryId">
      <CategorySelect of={listLiveCategories} />
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
      <How save={saveLiveCourse} edit={editLiveCourse} />
    </Field>
    <Field name="cover">
      <PictureUpload />
    </Field>
  </>
)

/** 新增 and 编辑 of a live course (01 §9.2). */
export const LiveCourseForm = ({ record: course, ...drawer }: DrawerProps<View>) => {
  const mayPublish = useAllowed()(editLiveCourse)
  const media = (course?.media ?? []).map(({ id, title }) => ({ code: id, desc: title }))
  const files = (course?.attachments ?? []).map(({ key, name }) => ({ file: key, name }))
  const channels = (course?.channels ?? []).map(({ id, channelName }) => ({ code: id, desc: channelName }))
  return (
    <FormDrawer<Draft, { id: number }>
      {...drawer}
      record={course && draftOf(course)}
      title={course ? `编辑直播课程 ${course.courseName}` : '新增直播课程'}
      width={960}
      initial={{
        isFree: false,
        priceOriginal: 0,
        priceSale: 0,
        countBuyBase: 0,
        submission: mayPublish ? 'publish' : 'review',
        chapters: [],
      }}
      action={(edited) => {
        const save = edited
          ? formAction(editLiveCourse, '已保存直播课程', edited)
          : formAction(saveLiveCourse, '已新增直播课程')
        return {
          ...save,
          send: async (values, request) => {
            const { chapters = [], isFree, ...rest }: Partial<Draft> = values
            const free = isFree ? { priceSale: 0 } : {}
            try {
              return await save.send({ ...rest, isFree, ...free, chapters: liveChaptersOf(chapters) }, request)
            } catch (error) {
              throw atItsFields(error)
            }
          },
        }
      }}
      reload={async (edited, call) => draftOf(await call(viewLiveCourse, { query: { id: edited.id } }))}
    >
      <TabPanels
        label="直播课程"
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
                <Field name="chapters" required={false} help="上架前至少添加一个课时；同一频道的课时不能重叠">
                  <LiveChaptersEditor media={media} channels={channels} />
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
