import { Select } from '@arco-design/web-react'
import { listOptions } from '@/api/infra'
import type { BulkResult, Saved } from '@/api/types/shared'
import { tellFailures } from '@/kit/BulkBar'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import { formatNumber } from '@/kit/format'
import { OptionSelect } from '@/kit/OptionSelect'
import type { DrawerProps } from '@/kit/useDrawer'
import { editOnlineTeaching, setOnlineTeachings, viewOnlineTeaching } from './api'
import { courseOf, type Teaching } from './studyRules'

const Setting = fieldsOf(editOnlineTeaching)

/** Material of a course that is on the shelf. */
const recordsOf = (courseId: number | undefined) => ({
  options: listOptions,
  query: (keyword: string) => ({
    type: 'courseRecord',
    keyword: keyword || undefined,
    parentId: courseId,
    enabled: true,
  }),
})

/** 设置: with what, when and by which rule a course is studied. */
export const TeachingForm = ({ record: teaching, ...drawer }: DrawerProps<Teaching>) => (
  <FormDrawer<Teaching, Saved>
    {...drawer}
    record={teaching}
    width={680}
    title={`在线教学设置 ${teaching ? courseOf(teaching) : ''}`}
    action={(held) => formAction(editOnlineTeaching, '已保存在线教学设置', held)}
    reload={({ id }, call) => call(viewOnlineTeaching, { query: { id } })}
  >
    <p className="form-hint">保存后，学生的学习进度在10分钟内按新的资源和完成标准重新计算；已完成的保持完成。</p>
    <Setting name="courseRecordId" help="不填时使用课程的默认资源">
      <OptionSelect
        label="课程资源"
        placeholder="课程的默认资源"
        {...recordsOf(teaching?.courseId)}
        known={
          teaching?.courseRecordId
            ? { code: teaching.courseRecordId, desc: teaching.recordName ?? `编号${teaching.courseRecordId}` }
            : undefined
        }
      />
    </Setting>
    <Setting name="studyStartsAt" />
    <Setting name="studyEndsAt" />
    <Setting name="finishPercent" help="50至100，课时学到该比例即为完成" />
    <Setting name="maxSpeed" help="1.0至2.0" />
    <Setting name="dailyLimitMinutes" />
    <Setting name="requiredProgress" help="作业和考试的默认要求" />
    <Setting name="allowSeekUnwatched" />
    <Setting name="sequential" help="前面的必修课时完成后，下一课时才能学习" />
    <Setting name="faceCheck" />
  </FormDrawer>
)

/** The openings that a form is for. */
export interface TickedTeachings {
  ids: number[]
  done: (failed: BulkResult['failed']) => void
}

const Many = fieldsOf(setOnlineTeachings)

interface YesOrNoProps {
  value?: boolean
  onChange?: (value: boolean | undefined) => void
  'aria-label'?: string
}

/** 是 or 否, or as it is. */
const YesOrNo = ({ value, onChange, 'aria-label': label }: YesOrNoProps) => (
  <Select
    aria-label={label}
    placeholder="保持不变"
    allowClear
    value={value === undefined ? undefined : String(value)}
    onChange={(chosen: string | undefined) => onChange?.(chosen === undefined ? undefined : chosen === 'true')}
    options={[
      { value: 'true', label: '是' },
      { value: 'false', label: '否' },
    ]}
  />
)

/** 批量设置: what is left out stays as it is. */
export const TeachingsForm = ({ record: ticked, ...drawer }: DrawerProps<TickedTeachings>) => (
  <FormDrawer<{ finishPercent?: number }, BulkResult>
    {...drawer}
    record={undefined}
    title={`批量设置${formatNumber(ticked?.ids.length ?? 0)}门课程的在线教学`}
    action={() =>
      formAction(setOnlineTeachings, ({ done }) => `已设置${formatNumber(done)}门课程`, {
        openingIds: ticked?.ids ?? [],
      })
    }
    onSaved={(answer) => {
      ticked?.done(answer.failed)
      if (answer.failed.length > 0) tellFailures('批量设置', answer)
    }}
  >
    <p className="form-hint">没有填写的项目保持不变；已结课的课程会保留并说明原因。</p>
    <Many name="studyStartsAt" />
    <Many name="studyEndsAt" />
    <Many name="finishPercent" />
    <Many name="maxSpeed" />
    <Many name="dailyLimitMinutes" help="0为不限" />
    <Many name="requiredProgress" />
    <Many name="allowSeekUnwatched">
      <YesOrNo />
    </Many>
    <Many name="sequential">
      <YesOrNo />
    </Many>
    <Many name="faceCheck">
      <YesOrNo />
    </Many>
  </FormDrawer>
)
