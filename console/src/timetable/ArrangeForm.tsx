import { Form, Radio, Select } from '@arco-design/web-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '@/api/errors'
import type { DataOf } from '@/api/operation'
import { BasicSelect, known } from '@/basic_data/BasicSelect'
import { openSemesters } from '@/basic_data/choices'
import { CourseSelect } from '@/courses/CourseSelect'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import type { FormAction } from '@/kit/formAction'
import { formatNumber } from '@/kit/format'
import { type Choice, OptionSelect } from '@/kit/OptionSelect'
import { SeveralOptions } from '@/kit/SeveralOptions'
import type { DrawerProps } from '@/kit/useDrawer'
import { checkArrange, editArrange, saveArrange, viewArrange } from './api'
import { CheckedArrange } from './CheckedArrange'
import { classroomsOf, resources } from './choices'
import { ClassesSelect, DatesInput, PeriodSelect } from './inputs'
import { type Arrange, bodyOf, nameOf, type Pending, type Typed, typedFrom, typedOf, weekdays } from './timetableRules'

const Field = fieldsOf(saveArrange)

type ArrangeSaved = DataOf<typeof saveArrange>

/** What an arrangement is opened with: itself, or what waits to be arranged. */
export interface ArrangeWish {
  arrange?: Arrange
  pending?: Pending
}

const doneWords = ({ sessions, skipped }: ArrangeSaved) =>
  skipped.length > 0
    ? `已保存为草稿，共${formatNumber(sessions)}次课，${formatNumber(skipped.length)}天未排`
    : `已保存为草稿，共${formatNumber(sessions)}次课`

/** Saves what is typed; `refused` hears of it when somebody took the time meanwhile. */
const saving = (refused: () => void) => (held: Held | undefined) => {
  const action: FormAction<ArrangeSaved> = {
    operation: held ? editArrange : saveArrange,
    done: doneWords,
    send: async (values, request) => {
      const body = bodyOf(values as Typed)
      if (!body) throw new ApiError(409, '请把时间、班级和教师填写完整')
      try {
        return held
          ? await request(editArrange, { body: { ...body, id: held.id, version: held.version } })
          : await request(saveArrange, { body })
      } catch (error) {
        if (error instanceof ApiError && error.code === 409) refused()
        throw error
      }
    },
  }
  return action
}

/** An arrangement as its form holds it. */
interface Held extends Typed {
  id: number
  version: number
}

const heldOf = (arrange: Arrange): Held => ({ ...typedOf(arrange), id: arrange.id, version: arrange.version })

interface ArrangeFormProps extends DrawerProps<ArrangeWish> {
  semester: Choice | undefined
}

/** 面授排课: a course with its classes, when it meets, where and with whom; checked while it is typed. */
export const ArrangeForm = ({ record: wish = {}, semester, ...drawer }: ArrangeFormProps) => {
  const { arrange, pending } = wish
  const client = useQueryClient()
  const [met, setMet] = useState<Pending | undefined>(pending)
  const begun = pending ? typedFrom(pending, semester?.code) : { semesterId: semester?.code }
  return (
    <FormDrawer<Held, ArrangeSaved>
      {...drawer}
      record={arrange && heldOf(arrange)}
      width={760}
      title={arrange ? `编辑面授排课 ${nameOf(arrange)}` : '新增面授排课'}
      initial={{ kind: 'lecture', mode: 'weekly', ...begun }}
      keep={['semesterId', 'courseId', 'siteId', 'kind', 'mode', 'weekday', 'weeks']}
      action={saving(() => client.invalidateQueries({ queryKey: [checkArrange.path] }))}
      reload={async ({ id }, call) => heldOf(await call(viewArrange, { query: { id } }))}
    >
      <Form.Item noStyle shouldUpdate>
        {({ semesterId, courseId, siteId, mode }: Typed, form) => {
          /** Classes are those of a course in a semester. */
          const forget = () => form.setFieldsValue({ classes: [] })
          const fill = (rows: readonly Pending[]) => {
            const [first] = rows
            if (!first) return
            setMet(first)
            if (!form.getFieldValue('siteId')) form.setFieldsValue({ siteId: first.siteId })
            if (!form.getFieldValue('teacherId') && first.teacherId) form.setFieldsValue({ teacherId: first.teacherId })
          }
          return (
            <>
              <Field name="semesterId">
                <OptionSelect
                  label="学期"
                  {...openSemesters}
                  known={known(arrange?.semesterId, arrange?.semesterName) ?? semester}
                  onChange={forget}
                />
              </Field>
              <Field name="courseId">
                <CourseSelect
                  type="course"
                  known={known(arrange?.courseId, arrange?.courseName) ?? known(pending?.courseId, pending?.courseName)}
                  onChange={forget}
                />
              </Field>
              <div className="form-wide">
                <Field name="classes">
                  <ClassesSelect
                    semesterId={semesterId}
                    courseId={courseId}
                    known={arrange?.classes ?? (pending ? [pending] : [])}
                    onFound={fill}
                  />
                </Field>
              </div>
              <Field name="teacherId" help="应是各班级的主讲或辅导教师">
                <BasicSelect
                  type="teacher"
                  known={known(arrange?.teacherId, arrange?.teacherName) ?? known(met?.teacherId, met?.teacherName)}
                />
              </Field>
              <Field name="assistantTeacherIds">
                <SeveralOptions
                  label="助教"
                  placeholder="没有助教"
                  {...resources.teacher}
                  known={(arrange?.assistants ?? []).map(({ id, name }) => ({ code: id, desc: name }))}
                />
              </Field>
              <Field name="siteId">
                <BasicSelect
                  type="site"
                  known={known(arrange?.siteId, arrange?.siteName) ?? known(met?.siteId, met?.siteName)}
                />
              </Field>
              <Field name="classroomId" help="直播可以不选">
                <OptionSelect
                  label="教室"
                  {...classroomsOf(siteId)}
                  known={known(arrange?.classroomId, arrange?.classroomName)}
                />
              </Field>
              <Field name="kind" />
              <Field name="mode">
                <Radio.Group
                  name="mode"
                  options={(saveArrange.fields.mode?.options ?? []).map(([value, label]) => ({ value, label }))}
                />
              </Field>
              {mode === 'dates' ? (
                <div className="form-wide">
                  <Field name="dates" required>
                    <DatesInput />
                  </Field>
                </div>
              ) : (
                <>
                  <Field name="weekday" required>
                    <Select placeholder="请选择" options={weekdays} />
                  </Field>
                  <Field name="weeks" required help="例如 1-8,10-16双" />
                </>
              )}
              <Field name="periodFrom">
                <PeriodSelect siteId={siteId} side="startsAt" />
              </Field>
              <Field name="periodTo">
                <PeriodSelect siteId={siteId} side="endsAt" />
              </Field>
              <Field name="allowOverCapacity" help="人数多于教室容量时仍然保存" />
              <Field name="remark" />
            </>
          )
        }}
      </Form.Item>
      <Form.Item noStyle shouldUpdate>
        {(typed: Typed) => <CheckedArrange typed={typed} but={arrange?.id} />}
      </Form.Item>
    </FormDrawer>
  )
}
