import { openSemesters } from '@/basic_data/choices'
import { DateTimeInput } from '@/kit/DateTimeInput'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import { OptionSelect } from '@/kit/OptionSelect'
import type { DrawerProps } from '@/kit/useDrawer'
import { editTestBatch, saveTestBatch, viewTestBatch } from './api'
import { type Batch, isFixed } from './examRules'

const Field = fieldsOf(saveTestBatch)

const usual: Partial<Batch> = {
  kind: 'final',
  mode: 'mixed',
  reviewLevels: 2,
  autoLockDays: 15,
  roomCapacityDefault: 30,
  roomMinFill: 10,
}

/** 新增, 编辑 of a batch. Of an active one the server takes a new name, wider dates, the entry of scores, notice and remark. */
export const BatchForm = ({ record: batch, ...drawer }: DrawerProps<Batch>) => {
  const fixed = batch !== undefined && isFixed(batch)
  return (
    <FormDrawer<Batch, { id: number }>
      {...drawer}
      record={batch}
      initial={usual}
      width={720}
      title={batch ? `编辑批次 ${batch.name}` : '新增批次'}
      keep={['semesterId', 'kind', 'mode']}
      action={(row) => (row ? formAction(editTestBatch, '已保存批次', row) : formAction(saveTestBatch, '已新增批次'))}
      reload={(row, call) => call(viewTestBatch, { query: { id: row.id } })}
    >
      <Field name="code" disabled={fixed} help="1至20位字母、数字或短横线" />
      <Field name="name" />
      <Field name="semesterId" disabled={fixed}>
        <OptionSelect
          label="学期"
          {...openSemesters}
          disabled={fixed}
          known={batch && { code: batch.semesterId, desc: batch.semesterName }}
        />
      </Field>
      <Field name="kind" disabled={fixed} help="决定批次中考试的性质：正考、补考或毕业补考" />
      <Field name="mode" disabled={fixed} />
      <Field name="examStartsOn" help={fixed ? '启用后只能提前' : undefined} />
      <Field name="examEndsOn" help={fixed ? '启用后只能延后' : undefined} />
      <Field name="scoreEntryStartsAt" />
      <Field name="scoreEntryEndsAt">
        <DateTimeInput dayEnd />
      </Field>
      <Field name="ticketPublishAt" disabled={fixed} help="在此之前学生看不到准考证" />
      <Field name="reviewLevels" disabled={fixed} help="1为只有初审，2为初审和终审" />
      <Field name="autoLockDays" disabled={fixed} help="成绩发布后多少天自动锁定，0为不自动锁定" />
      <Field name="roomCapacityDefault" disabled={fixed} />
      <Field name="roomMinFill" disabled={fixed} help="填满编排时，最后一个考场少于该人数则平分" />
      <Field name="ticketPrefix" disabled={fixed} />
      <Field name="notice" help="印在准考证上" />
      <Field name="remark" />
    </FormDrawer>
  )
}
