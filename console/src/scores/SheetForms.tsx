import { Form } from '@arco-design/web-react'
import type { DataOf } from '@/api/operation'
import type { BulkResult } from '@/api/types/shared'
import { BasicSelect } from '@/basic_data/BasicSelect'
import { courses } from '@/course_opening/choices'
import { allBatches } from '@/exams/choices'
import { tellFailures } from '@/kit/BulkBar'
import { DateTimeInput } from '@/kit/DateTimeInput'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import { formatNumber } from '@/kit/format'
import { OptionSelect } from '@/kit/OptionSelect'
import { SeveralOptions } from '@/kit/SeveralOptions'
import type { DrawerProps } from '@/kit/useDrawer'
import { assignScoreSheets, extendScoreEntry, generateScoreSheets } from './api'

/** The sheets that a form is for. */
export interface TickedSheets {
  ids: number[]
  done: (failed: BulkResult['failed']) => void
}

const Assigned = fieldsOf(assignScoreSheets)
const Extended = fieldsOf(extendScoreEntry)
const Generated = fieldsOf(generateScoreSheets)

const settle = (verb: string, ticked: TickedSheets | undefined, answer: BulkResult) => {
  ticked?.done(answer.failed)
  if (answer.failed.length > 0) tellFailures(verb, answer)
}

/** 分配录入人. */
export const AssignForm = ({ record: ticked, ...drawer }: DrawerProps<TickedSheets>) => (
  <FormDrawer<{ teacherId?: number }, BulkResult>
    {...drawer}
    record={undefined}
    title={`分配${formatNumber(ticked?.ids.length ?? 0)}张登记表的录入人`}
    okText="分配"
    action={() =>
      formAction(assignScoreSheets, ({ done }) => `已分配${formatNumber(done)}张登记表`, { ids: ticked?.ids })
    }
    onSaved={(answer) => settle('分配录入人', ticked, answer)}
  >
    <p className="form-hint">录入人在教师端录入和提交；已提交的登记表不能再分配。</p>
    <Assigned name="teacherId">
      <BasicSelect type="teacher" />
    </Assigned>
  </FormDrawer>
)

/** 延长录入. */
export const ExtendForm = ({ record: ticked, ...drawer }: DrawerProps<TickedSheets>) => (
  <FormDrawer<{ until?: string; reason?: string }, BulkResult>
    {...drawer}
    record={undefined}
    title={`延长${formatNumber(ticked?.ids.length ?? 0)}张登记表的录入时间`}
    okText="延长录入"
    action={() =>
      formAction(extendScoreEntry, ({ done }) => `已延长${formatNumber(done)}张登记表`, { ids: ticked?.ids })
    }
    onSaved={(answer) => settle('延长录入', ticked, answer)}
  >
    <Extended name="until">
      <DateTimeInput dayEnd />
    </Extended>
    <Extended name="reason" />
  </FormDrawer>
)

/** 生成登记表 of courses that are assessed without an examination. */
export const GenerateForm = ({ record: _, ...drawer }: DrawerProps<object>) => (
  <FormDrawer<{ batchId?: number; courseIds?: number[] }, DataOf<typeof generateScoreSheets>>
    {...drawer}
    record={undefined}
    title="生成登记表"
    okText="生成"
    action={() => {
      const generate = formAction(
        generateScoreSheets,
        ({ sheets, rows }: DataOf<typeof generateScoreSheets>) =>
          `已生成${formatNumber(sheets)}张登记表，新增${formatNumber(rows)}名学生`,
      )
      return {
        ...generate,
        send: ({ courseIds, ...rest }: { courseIds?: number[] }, request) =>
          generate.send({ ...rest, courseIds: courseIds && courseIds.length > 0 ? courseIds : undefined }, request),
      }
    }}
  >
    <p className="form-hint">
      为考查课程和口试、实操、报告类考试生成；已有的登记表补充缺少的学生。线上和笔试的由考试产生。
    </p>
    <Generated name="batchId">
      <OptionSelect label="批次" {...allBatches} />
    </Generated>
    <Form.Item field="courseIds" label="课程" extra="不填为批次学期的全部考查课程">
      <SeveralOptions label="课程" placeholder="全部" {...courses} />
    </Form.Item>
  </FormDrawer>
)
