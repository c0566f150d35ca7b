import { Button, InputNumber, Space } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import type { RowOf } from '@/api/operation'
import type { Saved } from '@/api/types/shared'
import { known } from '@/basic_data/BasicSelect'
import { sites } from '@/basic_data/choices'
import { StudentSelect } from '@/course_selection/choices'
import { bulkStep } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { fieldsOf } from '@/kit/Field'
import { FilterBar } from '@/kit/FilterBar'
import { FormDrawer } from '@/kit/FormDrawer'
import { DateRangeFilter, EnumFilter, OptionFilter, SelectFilter, TextFilter } from '@/kit/filters'
import { formAction } from '@/kit/formAction'
import { points } from '@/kit/format'
import { ImportButton } from '@/kit/ImportWizard'
import { QueryTable } from '@/kit/QueryTable'
import { askRemoval, removal } from '@/kit/steps'
import { type DrawerProps, useDrawer } from '@/kit/useDrawer'
import { useQueryTable } from '@/kit/useQueryTable'
import { historyOf } from '@/logs/RecordHistory'
import {
  deleteExternalExam,
  deleteExternalExams,
  editExternalExam,
  exportExternalExams,
  fetchExternalExamImportTemplate,
  importExternalExams,
  listExternalExams,
  saveExternalExam,
  viewExternalExam,
} from './api'

type Exam = RowOf<typeof listExternalExams>

const trail = historyOf(viewExternalExam, 'external_exam_score')

const columns = columnsOf(listExternalExams, [
  { field: 'name', width: 110, fixed: 'left' },
  { field: 'studentNo', under: 'name' },
  { field: 'passed', width: 90, fixed: 'left' },
  { field: 'type', title: '考试类型', width: 130 },
  { field: 'score', width: 80, render: ({ score }) => points(score) },
  { field: 'certificateNo', width: 180 },
  { field: 'examDate', width: 110 },
  { field: 'siteName', title: '站点', width: 140 },
  { field: 'className', width: 150 },
])

const Field = fieldsOf(saveExternalExam)

const ExamForm = ({ record: row, ...drawer }: DrawerProps<Exam>) => (
  <FormDrawer<Exam, Saved>
    {...drawer}
    record={row}
    title={row ? `编辑校外考试成绩 ${row.name}` : '新增校外考试成绩'}
    initial={{ passed: true }}
    keep={['type', 'examDate', 'passed']}
    action={(held) =>
      held
        ? formAction(editExternalExam, '已保存校外考试成绩', held)
        : formAction(saveExternalExam, '已新增校外考试成绩')
    }
    reload={({ id }, call) => call(viewExternalExam, { query: { id } })}
  >
    <Field name="studentId">
      <StudentSelect disabled={row !== undefined} known={known(row?.studentId, row?.name)} />
    </Field>
    <Field name="type" label="考试类型" />
    <Field name="score">
      <InputNumber min={0} max={999.9} precision={1} hideControl />
    </Field>
    <Field name="certificateNo" />
    <Field name="examDate" />
    <Field name="passed" />
  </FormDrawer>
)

/** 校外考试成绩: what a degree asks for from elsewhere. */
export const ExternalExamsTab = () => {
  const table = useQueryTable(listExternalExams)
  const form = useDrawer<Exam>()
  return (
    <>
      <FilterBar table={table}>
        <TextFilter of={listExternalExams} field="keyword" label="学号或姓名" />
        <EnumFilter of={listExternalExams} field="type" label="考试类型" />
        <SelectFilter
          of={listExternalExams}
          field="passed"
          options={[
            { value: 'true', label: '合格' },
            { value: 'false', label: '不合格' },
          ]}
        />
        <DateRangeFilter of={listExternalExams} from="examFrom" to="examTo" label="考试日期" />
        <OptionFilter of={listExternalExams} field="siteId" {...sites} />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={({ name }) => name}
        primary={
          <Can do={saveExternalExam}>
            <Button type="primary" icon={<IconPlus />} onClick={() => form.open()}>
              新增成绩
            </Button>
          </Can>
        }
        tools={
          <Space size={4}>
            <ImportButton do={importExternalExams} template={fetchExternalExamImportTemplate} what="校外考试成绩" />
            <ExportButton do={exportExternalExams} table={table} />
          </Space>
        }
        bulk={[
          bulkStep(deleteExternalExams, {
            label: '批量删除',
            danger: true,
            confirm: askRemoval('成绩'),
            input: (ids) => ({ body: { ids } }),
          }),
        ]}
        detail={trail}
        actionsWidth={120}
        actions={(row) => [
          { label: '编辑', do: editExternalExam, onClick: () => form.open(row) },
          removal(deleteExternalExam, row),
        ]}
        empty="还没有校外考试成绩。学位外语、大学英语等成绩可以新增或导入。"
      />
      <ExamForm key={form.key} {...form.props} />
    </>
  )
}
