import { Form } from '@arco-design/web-react'
import { useAllowed } from '@/api/identity'
import type { RowOf } from '@/api/operation'
import type { QuizContent } from '@/api/types/quizzes'
import { CategorySelect, LecturerSelect } from '@/catalogue/choices'
import { How, Yuan } from '@/catalogue/courseFields'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import { labelOf } from '@/kit/labels'
import { PictureUpload } from '@/kit/PictureUpload'
import { TabPanels } from '@/kit/TabList'
import type { DrawerProps } from '@/kit/useDrawer'
import { wordsIn } from '@/question_bank/questionRules'
import { editQuiz, listQuizCategories, listQuizProblems, saveQuiz, viewQuiz } from './api'
import { atItsFields, draftsOf, type SectionDraft, sectionsOf, sectionsRefusal } from './quizContent'
import { SectionsEditor } from './SectionsEditor'
import './quizzes.css'

export type QuizRead = RowOf<typeof viewQuiz>

/** What stands in the form. */
interface Draft extends Omit<QuizContent, 'sections'> {
  id: number
  version: number
  submission: 'draft' | 'review' | 'publish'
  sections: SectionDraft[]
}

const knownIn = ({ paper }: QuizRead) =>
  new Map(
    paper
      .flatMap(({ questions }) => questions)
      .map(({ problemId, type, stem }) => [
        problemId,
        { type: labelOf(listQuizProblems, 'type', type), stem: wordsIn(stem) },
      ]),
  )

const draftOf = (quiz: QuizRead): Draft => ({
  ...quiz.content,
  id: quiz.id,
  version: quiz.version,
  submission: 'publish',
  sections: draftsOf(quiz.content.sections ?? [], knownIn(quiz)),
})

const Field = fieldsOf(saveQuiz)

/** The published lecturer's name is not that of another who stands in a version. */
const lecturerOf = (quiz: QuizRead | undefined) =>
  quiz?.lecturerId && quiz.lecturerName && quiz.lecturerId === quiz.content.lecturerId
    ? { code: quiz.lecturerId, desc: quiz.lecturerName }
    : undefined

const Basics = ({ quiz }: { quiz: QuizRead | undefined }) => (
  <>
    <Field name="examName" />
    <Field name="categoryId">
      <CategorySelect of={listQuizCategories} clearable />
    </Field>
    <Field name="lecturerId">
      <LecturerSelect known={lecturerOf(quiz)} clearable />
    </Field>
    <Field name="durationMinutes" help="1至600，到时自动交卷" />
    <Field name="totalScore" help="应等于各题分值之和" />
    <Field name="passScore" />
    <Field name="attemptLimit" help="每名学员可以考几次，0为不限" />
    <Field name="isFree" />
    <Form.Item noStyle shouldUpdate>
      {({ isFree }: Partial<Draft>) =>
        isFree ? null : (
          <>
            <Field name="priceOriginal" label="原价">
              <Yuan />
            </Field>
            <Field name="priceSale" label="优惠价" help="大于0且不高于原价">
              <Yuan />
            </Field>
          </>
        )
      }
    </Form.Item>
    <Field name="submission" help="直接发布立即生效，提交审核则通过后生效；新试卷还须上架，网站才展示">
      <How save={saveQuiz} edit={editQuiz} />
    </Field>
    <Field name="cover">
      <PictureUpload />
    </Field>
  </>
)

type Report = (message?: string) => void

const Paper = () => {
  const { form } = Form.useFormContext()
  return (
    <div className="form-wide">
      <Form.Item
        field="sections"
        label="大题和试题"
        extra="提交或发布前，各题分值之和须等于总分；停用的试题须先替换"
        rules={[
          {
            validator: (value, report: Report) => {
              const { totalScore, submission } = form.getFieldsValue()
              const whole = submission !== 'draft'
              report(sectionsRefusal(Array.isArray(value) ? value : [], Number(totalScore ?? 0), whole))
            },
          },
        ]}
      >
        <SectionsEditor />
      </Form.Item>
    </div>
  )
}

/** 新增, 编辑 and 组卷 of an exam (01 §9.7). */
export const QuizForm = ({ record: quiz, ...drawer }: DrawerProps<QuizRead>) => {
  const mayPublish = useAllowed()(editQuiz)
  return (
    <FormDrawer<Draft, { id: number }>
      {...drawer}
      record={quiz && draftOf(quiz)}
      title={quiz ? `编辑试卷 ${quiz.examName}` : '新增试卷'}
      width={960}
      initial={{
        isFree: true,
        priceOriginal: 0,
        priceSale: 0,
        attemptLimit: 0,
        durationMinutes: 90,
        totalScore: 100,
        passScore: 60,
        submission: mayPublish ? 'publish' : 'review',
        sections: [],
      }}
      action={(edited) => {
        const save = edited ? formAction(editQuiz, '已保存试卷', edited) : formAction(saveQuiz, '已新增试卷')
        return {
          ...save,
          send: async (values, request) => {
            const { sections = [], isFree, ...rest }: Partial<Draft> = values
            const free = isFree ? { priceSale: 0 } : {}
            try {
              return await save.send({ ...rest, isFree, ...free, sections: sectionsOf(sections) }, request)
            } catch (error) {
              throw atItsFields(error)
            }
          },
        }
      }}
      reload={async (edited, call) => draftOf(await call(viewQuiz, { query: { id: edited.id } }))}
    >
      <TabPanels
        label="试卷"
        className="form-grid"
        panels={[
          { title: '基本', content: <Basics quiz={quiz} /> },
          { title: '组卷', content: <Paper /> },
        ]}
      />
    </FormDrawer>
  )
}
