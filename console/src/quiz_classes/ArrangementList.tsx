import { Button, Drawer } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import type { RowOf } from '@/api/operation'
import { placeOfProduct } from '@/catalogue/places'
import { Can } from '@/kit/Can'
import { DateTimeInput } from '@/kit/DateTimeInput'
import { DialogName } from '@/kit/DialogName'
import { DrawerList } from '@/kit/DrawerList'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import { formatTime } from '@/kit/format'
import { Lead } from '@/kit/Lead'
import { removal } from '@/kit/steps'
import { type DrawerProps, useDrawer } from '@/kit/useDrawer'
import { listQuizRecords, listQuizzes } from '@/quizzes/api'
import { QuizSelect } from '@/quizzes/choices'
import { RecordList, type RecordsOf } from '@/quizzes/RecordList'
import { deleteQuizArrangement, editQuizArrangement, listQuizArrangements, saveQuizArrangement } from './api'

type Row = RowOf<typeof listQuizArrangements>

/** The class whose exams are shown. */
interface Class {
  id: number
  gradeName: string
}

const Field = fieldsOf(saveQuizArrangement)

/** An exam of the class, from when until when. */
const ArrangementForm = ({ record: row, gradeId, ...drawer }: DrawerProps<Row> & { gradeId: number }) => (
  <FormDrawer<Row, { id: number }>
    {...drawer}
    record={row}
    title={row ? `编辑考试 ${row.examName}` : '新增考试'}
    action={(edited) =>
      edited
        ? formAction(editQuizArrangement, '已保存考试安排', edited)
        : formAction(saveQuizArrangement, '已新增考试安排', { gradeId })
    }
  >
    <Field name="examId" help={row?.takenCount ? '已有成员参加，不能更换试卷' : '已审核通过的试卷'}>
      <QuizSelect published disabled={Boolean(row?.takenCount)} known={row && { id: row.examId, name: row.examName }} />
    </Field>
    <Field name="opensAt" />
    <Field name="closesAt" help="到时自动交卷">
      <DateTimeInput dayEnd />
    </Field>
  </FormDrawer>
)

const Arrangements = ({ of }: { of: Class }) => {
  const form = useDrawer<Row>()
  const records = useDrawer<RecordsOf>()
  return (
    <>
      <div className="toolbar">
        <Can do={saveQuizArrangement}>
          <Button type="primary" icon={<IconPlus />} onClick={() => form.open()}>
            新增考试
          </Button>
        </Can>
      </div>
      <DrawerList
        of={listQuizArrangements}
        filter={{ gradeId: of.id }}
        empty="还没有安排考试。点击“新增考试”选择试卷和时间。"
        columns={[
          {
            title: '试卷名称',
            dataIndex: 'examName',
            width: 240,
            render: (_: unknown, { examId, examName }: Row) => (
              <Lead do={listQuizzes} to={placeOfProduct('exam', examId, examName)}>
                {examName}
              </Lead>
            ),
          },
          { title: '开放时间', dataIndex: 'opensAt', width: 170, render: (at: string) => formatTime(at) },
          { title: '关闭时间', dataIndex: 'closesAt', width: 170, render: (at: string) => formatTime(at) },
          { title: '时长(分钟)', dataIndex: 'durationMinutes', width: 100, align: 'right' },
          { title: '参加人数', dataIndex: 'takenCount', width: 90, align: 'right' },
          { title: '待批改', dataIndex: 'markingCount', width: 80, align: 'right' },
        ]}
        actions={(row) => [
          { label: '编辑', do: editQuizArrangement, onClick: () => form.open(row) },
          {
            label: '考试记录',
            do: listQuizRecords,
            onClick: () =>
              records.open({
                examId: row.examId,
                examName: row.examName,
                gradeId: of.id,
                waiting: row.markingCount,
              }),
          },
          removal(deleteQuizArrangement, { id: row.id, name: row.examName }),
        ]}
      />
      <ArrangementForm key={form.key} gradeId={of.id} {...form.props} />
      <RecordList key={`records-${records.key}`} {...records.props} />
    </>
  )
}

/** 考试安排 of a class. */
export const ArrangementList = ({ record, visible, onClose }: DrawerProps<Class>) => {
  const title = `考试安排 ${record?.gradeName ?? ''}`
  return (
    <Drawer title={title} width={1080} visible={visible} footer={null} onCancel={onClose} unmountOnExit>
      <DialogName name={title} />
      {record && <Arrangements of={record} />}
    </Drawer>
  )
}
