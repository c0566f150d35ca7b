import { Form } from '@arco-design/web-react'
import type { RowOf } from '@/api/operation'
import { known } from '@/basic_data/BasicSelect'
import { fieldsOf } from '@/kit/Field'
import { FileUpload } from '@/kit/FileUpload'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import type { DrawerProps } from '@/kit/useDrawer'
import { editPeriod, type listPeriods, savePeriod } from './api'
import { CourseSelect } from './CourseSelect'
import { MediaSelect } from './MediaSelect'

type Period = RowOf<typeof listPeriods>

/** A period that is edited, or a new one in a chapter of a record. */
export interface PeriodDraft {
  period?: Period
  courseId: number
  courseRecordId: number
  chapterId: number
  chapterTitle: string
}

const Field = fieldsOf(savePeriod)

/** What the kind of a period asks for. */
const OfKind = ({ kind, period }: { kind: Period['kind'] | undefined; period: Period | undefined }) => {
  if (kind === 'video' || kind === 'audio')
    return (
      <>
        <Field name="mediaAssetId" required>
          <MediaSelect known={known(period?.mediaAssetId, period?.mediaTitle)} />
        </Field>
        <Field name="durationSeconds" help="留空时取音视频的时长" />
      </>
    )
  if (kind === 'document')
    return (
      <>
        <Field name="fileKey" required>
          <FileUpload type={3} accept=".pdf,.doc,.docx,.ppt,.pptx,.xls,.xlsx" />
        </Field>
        <Field name="pageCount" />
      </>
    )
  return (
    <>
      <Field name="url" required />
      {kind === 'live' && (
        <>
          <Field name="liveStartsAt" required />
          <Field name="liveEndsAt" required />
        </>
      )}
      <Field name="durationSeconds" />
    </>
  )
}

/** 新增 and 编辑 of a period (03 A6). */
export const PeriodForm = ({ record: draft, ...drawer }: DrawerProps<PeriodDraft>) => {
  const period = draft?.period
  return (
    <FormDrawer<Period, { id: number }>
      {...drawer}
      record={period}
      title={period ? `编辑课时 ${period.title}` : '新增课时'}
      initial={{
        courseRecordId: draft?.courseRecordId,
        chapterId: draft?.chapterId,
        kind: 'video',
        weight: 1,
        required: true,
        freePreview: false,
      }}
      action={(edited) => {
        const save = edited ? formAction(editPeriod, '已保存课时', edited) : formAction(savePeriod, '已新增课时')
        return {
          ...save,
          send: (values, request) => save.send({ courseRecordId: draft?.courseRecordId, ...values }, request),
        }
      }}
      keep={['chapterId', 'kind', 'required', 'weight']}
    >
      <Field name="chapterId">
        <CourseSelect
          type="chapter"
          parentId={draft?.courseId}
          known={draft && { code: draft.chapterId, desc: draft.chapterTitle }}
        />
      </Field>
      <Field name="title" />
      <Field name="kind" />
      <Form.Item noStyle shouldUpdate>
        {(values: Partial<Period>) => <OfKind kind={values.kind} period={period} />}
      </Form.Item>
      <Field name="required" help="只有必修课时计入学习进度" />
      <Field name="weight" help="0至100，课程进度按权重计算" />
      <Field name="freePreview" />
    </FormDrawer>
  )
}
