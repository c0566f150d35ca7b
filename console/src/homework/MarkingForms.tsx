import { Form, Radio } from '@arco-design/web-react'
import { tellSuccess } from '@/api/errors'
import type { DataOf } from '@/api/operation'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import { formatNumber } from '@/kit/format'
import { OptionSelect } from '@/kit/OptionSelect'
import type { DrawerProps } from '@/kit/useDrawer'
import { assignSheets, findSimilarSheets } from './api'
import { homeworks } from './choices'
import { type MarkerDraft, MarkersInput } from './MarkersInput'

/** Which sheets are given to markers: ticked ones, or all of a homework that wait. */
export interface Assigned {
  sheetIds?: number[]
  homeworkId?: number
  done: () => void
}

interface Assignment {
  homeworkId?: number
  mode: 'average' | 'class' | 'question'
  markers: MarkerDraft[]
}

const Assign = fieldsOf(assignSheets)

type Report = (message?: string) => void

/** 分配批阅, 转交: to whom, and how it is shared out. */
export const AssignForm = ({ record: wanted, ...drawer }: DrawerProps<Assigned>) => (
  <FormDrawer<Assignment, DataOf<typeof assignSheets>>
    {...drawer}
    record={undefined}
    initial={{ homeworkId: wanted?.homeworkId, mode: 'average', markers: [{ questionSeqs: [] }] }}
    width={860}
    title={wanted?.sheetIds ? `分配选中的${formatNumber(wanted.sheetIds.length)}份答卷` : '分配批阅'}
    okText="分配"
    action={() =>
      formAction(
        assignSheets,
        ({ done, left }) =>
          `已分配${formatNumber(done)}份${left > 0 ? `，${formatNumber(left)}份没有对应的批阅教师` : ''}`,
        wanted?.sheetIds && { sheetIds: wanted.sheetIds },
      )
    }
    onSaved={() => wanted?.done()}
  >
    <p className="form-hint">只分配待批阅的答卷，也用于转交；正在批阅的随之释放。</p>
    {!wanted?.sheetIds && (
      <Assign name="homeworkId" required>
        <OptionSelect label="作业" {...homeworks} />
      </Assign>
    )}
    <Assign name="mode" help="平均分配：按人数均分；按班级：填写班级；按题目：填写题号">
      <Radio.Group options={(assignSheets.fields.mode?.options ?? []).map(([value, label]) => ({ value, label }))} />
    </Assign>
    <Form.Item
      field="markers"
      label="批阅教师"
      required
      rules={[
        {
          validator: (value, report: Report) =>
            report(
              Array.isArray(value) && value.length > 0 && value.every((marker: MarkerDraft) => marker.teacherId)
                ? undefined
                : '请选择批阅教师',
            ),
        },
      ]}
    >
      <MarkersInput />
    </Form.Item>
  </FormDrawer>
)

const Search = fieldsOf(findSimilarSheets)

/** 相似检测 of a homework, as a job. */
export const SimilarityForm = ({ record: wanted, ...drawer }: DrawerProps<{ homeworkId?: number }>) => (
  <FormDrawer<{ homeworkId?: number; threshold?: number; compareHistory?: boolean }, DataOf<typeof findSimilarSheets>>
    {...drawer}
    record={undefined}
    initial={{ homeworkId: wanted?.homeworkId, threshold: 60, compareHistory: false }}
    title="相似检测"
    okText="开始检测"
    action={() => formAction(findSimilarSheets, '正在检测，进度和结果在任务中心查看')}
    onSaved={() => tellSuccess('检测完成后在“相似对照”查看')}
  >
    <p className="form-hint">比较同一道主观题的答案，达到阈值的列出相同片段；已认定的保留，不改变得分。</p>
    <Search name="homeworkId">
      <OptionSelect label="作业" {...homeworks} />
    </Search>
    <Search name="threshold" help="30至100" />
    <Search name="compareHistory" help="同时与以前学期同一道题的答案比较" />
  </FormDrawer>
)
