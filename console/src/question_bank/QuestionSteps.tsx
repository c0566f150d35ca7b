import { Form, Select } from '@arco-design/web-react'
import type { Stepped } from '@/api/types/shared'
import { afterwards, type BulkResult, type Selected } from '@/kit/actions'
import { tellFailures } from '@/kit/BulkBar'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import type { DrawerProps } from '@/kit/useDrawer'
import { editQuestions, moveQuestions, rejectQuestions } from './api'
import { BankSelect, SeveralOfBank } from './choices'

/** The questions that a form is for, and of which course they are where they are of one. */
export interface Ticked extends Selected<{ id: number; version: number }, object> {
  ids: readonly number[]
  courseId?: number
}

const afterStep = (label: string, record: Ticked | undefined) => (result: BulkResult) => {
  record?.done(result.failed)
  if (result.failed.length > 0) tellFailures(label, result)
}

const Rejected = fieldsOf(rejectQuestions)

/** 退回 with the reason, which the author reads. */
export const RejectForm = ({ record, ...drawer }: DrawerProps<Ticked>) => (
  <FormDrawer<{ reason?: string }, Stepped>
    {...drawer}
    record={undefined}
    title={`退回${record?.count ?? 0}道试题`}
    okText="退回"
    danger
    action={() => formAction(rejectQuestions, afterwards(record, '已退回'), record?.rows)}
    onSaved={afterStep('退回', record)}
  >
    <Rejected name="reason" label="退回原因" required help="2至500个字，出题人可以看到；不在待审核的会保留并说明原因" />
  </FormDrawer>
)

const Moved = fieldsOf(moveQuestions)

/** 移动到题库: another bank of the same course. */
export const MoveForm = ({ record, ...drawer }: DrawerProps<Ticked>) => (
  <FormDrawer<{ bankId?: number }, BulkResult>
    {...drawer}
    record={undefined}
    title={`移动${record?.count ?? 0}道试题`}
    okText="移动"
    action={() => formAction(moveQuestions, '已移动', { ids: record?.ids })}
    onSaved={afterStep('移动', record)}
  >
    <p className="form-hint">只能移动到同一课程的题库；题库中已有相同试题的会保留并说明原因。</p>
    <Moved name="bankId" label="题库">
      <BankSelect type="questionBank" courseId={record?.courseId} />
    </Moved>
  </FormDrawer>
)

const Setting = fieldsOf(editQuestions)

interface BatchEdit {
  chapterId?: number
  difficulty?: string
  knowledgePointIds?: number[]
}

/** What is left empty stays as it is in each question. */
const filledIn = (values: object) =>
  Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0)),
  )

/** 批量设置 of chapter, difficulty and knowledge points. */
export const BatchForm = ({ record, ...drawer }: DrawerProps<Ticked>) => (
  <FormDrawer<BatchEdit, BulkResult>
    {...drawer}
    record={undefined}
    title={`批量设置${record?.count ?? 0}道试题`}
    action={() => {
      const save = formAction(editQuestions, '已设置', { ids: record?.ids })
      return { ...save, send: (values, request) => save.send(filledIn(values), request) }
    }}
    onSaved={afterStep('批量设置', record)}
  >
    <p className="form-hint">只修改填写的项，其余保持不变。{record?.courseId ? '' : '章节和知识点请先按课程筛选。'}</p>
    {record?.courseId !== undefined && (
      <>
        <Setting name="chapterId" label="章节">
          <BankSelect type="chapter" courseId={record.courseId} />
        </Setting>
        <Setting name="knowledgePointIds" label="知识点" help="替换原有的知识点">
          <SeveralOfBank type="knowledgePoint" courseId={record.courseId} placeholder="保持不变" />
        </Setting>
      </>
    )}
    <Form.Item field="difficulty" label="难度">
      <Select
        aria-label="难度"
        placeholder="保持不变"
        allowClear
        options={(editQuestions.fields.difficulty?.options ?? []).map(([value, label]) => ({ value, label }))}
      />
    </Form.Item>
  </FormDrawer>
)
