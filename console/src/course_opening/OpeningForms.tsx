import { Form, InputNumber, Radio, Select } from '@arco-design/web-react'
import { messageOf, tellSuccess } from '@/api/errors'
import { refetchAll } from '@/api/query'
import { useRequest } from '@/api/schoolContext'
import type { Saved, SteppedOfSchools } from '@/api/types/shared'
import { BasicSelect } from '@/basic_data/BasicSelect'
import { openSemesters } from '@/basic_data/choices'
import { CourseSelect } from '@/courses/CourseSelect'
import { afterwards, type BulkResult, type Selected } from '@/kit/actions'
import { tellFailures } from '@/kit/BulkBar'
import { fieldsOf } from '@/kit/Field'
import { FormDialog } from '@/kit/FormDialog'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import { formatNumber } from '@/kit/format'
import { type Choice, OptionSelect } from '@/kit/OptionSelect'
import type { DrawerProps } from '@/kit/useDrawer'
import { cancelOpenings, editOpening, saveOpening, viewOpening } from './api'
import { nameOf, type Opening } from './openingRules'

const New = fieldsOf(saveOpening)
/** What the plans have is generated, never typed. */
const kinds = (saveOpening.fields.kind?.options ?? []).filter(([kind]) => kind !== 'plan')

/** 计划外开课: a course outside the plans, or a class for those who repeat one. */
export const OpeningForm = ({ semester, ...drawer }: DrawerProps<true> & { semester: Choice | undefined }) => (
  <FormDrawer<Opening, Saved>
    {...drawer}
    record={undefined}
    width={680}
    title="计划外开课"
    initial={{ semesterId: semester?.code, kind: 'extra' }}
    keep={['semesterId', 'kind']}
    action={() => formAction(saveOpening, '已新增开课，状态为待开课')}
  >
    <New name="semesterId">
      <OptionSelect label="学期" {...openSemesters} known={semester} />
    </New>
    <New name="kind">
      <Select options={kinds.map(([value, label]) => ({ value, label }))} />
    </New>
    <New name="courseId">
      <CourseSelect type="course" />
    </New>
    <New name="gradeId">
      <BasicSelect type="grade" placeholder="不限" />
    </New>
    <New name="majorId">
      <BasicSelect type="major" placeholder="不限" />
    </New>
    <New name="nature" />
    <New name="credits" help="不填为课程的学分，0.5的倍数" />
    <New name="lectureHours" help="不填为课程的学时" />
    <New name="onlineHours" />
    <New name="practiceHours" />
    <New name="selfStudyHours" />
    <New name="examForm" />
    <New name="assessMode" />
    <New name="teachingMode" />
    <New name="capacity" help="不填为不限" />
    <New name="remark" />
  </FormDrawer>
)

const Setting = fieldsOf(editOpening)

/** 设置: how an opening is taught and how many may come. */
export const SettingsForm = ({ record: opening, ...drawer }: DrawerProps<Opening>) => (
  <FormDrawer<Opening, Saved>
    {...drawer}
    record={opening}
    title={`设置教学方式和上限 ${opening ? nameOf(opening) : ''}`}
    action={(held) => formAction(editOpening, '已保存设置', held)}
    reload={({ id }, call) => call(viewOpening, { query: { id } })}
  >
    <p className="form-hint">课程、学分和学时来自教学计划，在这里不能修改。</p>
    <Setting name="teachingMode" />
    <Setting name="capacity" />
    <Setting name="remark" />
  </FormDrawer>
)

/** The openings that a form is for. */
export interface TickedOpenings extends Selected<{ id: number; version: number }, object> {
  shown: readonly Opening[]
}

interface Wanted {
  teachingMode?: Opening['teachingMode']
  limit?: 'keep' | 'none' | 'set'
  capacity?: number
}

const limits = [
  { value: 'keep', label: '保持不变' },
  { value: 'none', label: '不限' },
  { value: 'set', label: '指定人数' },
]
const MOST_PLACES = 100_000

/** What a row has afterwards. */
const settled = (row: Opening, { teachingMode, limit, capacity }: Wanted) => ({
  id: row.id,
  version: row.version,
  remark: row.remark,
  teachingMode: teachingMode ?? row.teachingMode,
  capacity: { keep: row.capacity, none: null, set: capacity }[limit ?? 'keep'],
})

/** The same for several, each saved for itself. */
export const SettingsOfMany = ({ record: ticked, visible, onClose }: DrawerProps<TickedOpenings>) => {
  const request = useRequest()
  const send = async (wanted: Wanted): Promise<BulkResult> => {
    const result: BulkResult = { done: 0, failed: [] }
    for (const row of ticked?.shown ?? []) {
      try {
        await request(editOpening, { body: settled(row, wanted) }, { quiet: () => true })
        result.done += 1
      } catch (error) {
        result.failed.push({ id: row.id, name: nameOf(row), msg: messageOf(error) })
      }
    }
    return result
  }
  return (
    <FormDialog<Wanted, BulkResult>
      title={`设置${formatNumber(ticked?.count ?? 0)}个开课的教学方式和上限`}
      visible={visible}
      okText="保存"
      lead={<p className="dialog-lead">没有填写的保持不变；已结课和已取消的会保留并说明原因。</p>}
      action={send}
      onDone={async (result) => {
        ticked?.done(result.failed)
        onClose()
        await refetchAll()
        if (result.failed.length > 0) tellFailures('设置', result)
        else tellSuccess(`已设置${formatNumber(result.done)}个开课`)
      }}
      onClose={onClose}
    >
      <Form.Item field="teachingMode" label="教学方式">
        <Select
          aria-label="教学方式"
          placeholder="保持不变"
          allowClear
          options={(editOpening.fields.teachingMode?.options ?? []).map(([value, label]) => ({ value, label }))}
        />
      </Form.Item>
      <Form.Item field="limit" label="人数上限" initialValue="keep">
        <Radio.Group name="limit" aria-label="人数上限" options={limits} />
      </Form.Item>
      <Form.Item noStyle shouldUpdate>
        {({ limit }: Wanted) =>
          limit === 'set' && (
            <Form.Item field="capacity" label="指定人数" rules={[{ required: true, message: '请输入人数上限' }]}>
              <InputNumber aria-label="指定人数" min={1} max={MOST_PLACES} precision={0} hideControl />
            </Form.Item>
          )
        }
      </Form.Item>
    </FormDialog>
  )
}

const Cancelled = fieldsOf(cancelOpenings)

/** 取消开课 with the reason: what hangs on the openings goes with them. */
export const CancelForm = ({ record: ticked, ...drawer }: DrawerProps<TickedOpenings>) => {
  const [only] = ticked?.count === 1 ? ticked.shown : []
  return (
    <FormDrawer<{ reason?: string }, SteppedOfSchools>
      {...drawer}
      record={undefined}
      title={only ? `取消开课 ${nameOf(only)}` : `取消${formatNumber(ticked?.count ?? 0)}个开课`}
      okText="取消开课"
      danger
      action={() => formAction(cancelOpenings, afterwards(ticked, '已取消开课'), ticked?.rows)}
      onSaved={(answer) => {
        ticked?.done(answer.failed)
        if (answer.failed.length > 0) tellFailures('取消开课', answer)
      }}
    >
      <p className="form-hint">
        名单上的学生退选，任课安排删除，取消后不能恢复；已有成绩的不能取消，会保留并说明原因。
      </p>
      <Cancelled name="reason" help="2至200个字符" />
    </FormDrawer>
  )
}
