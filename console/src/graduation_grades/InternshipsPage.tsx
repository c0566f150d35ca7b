import { InputNumber, Space } from '@arco-design/web-react'
import type { RowOf } from '@/api/operation'
import { useRequest } from '@/api/schoolContext'
import type { Saved } from '@/api/types/shared'
import { classes, grades, levels, majors, semesters, sites, teachers } from '@/basic_data/choices'
import { bulkStep, byState, itemOf, step } from '@/kit/actions'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { fieldsOf } from '@/kit/Field'
import { FileLink } from '@/kit/FileLink'
import { FileUpload } from '@/kit/FileUpload'
import { FilterBar } from '@/kit/FilterBar'
import { FormDrawer } from '@/kit/FormDrawer'
import { EnumFilter, OptionFilter, SelectFilter, TextFilter, YesNoFilter } from '@/kit/filters'
import { formAction } from '@/kit/formAction'
import { formatNumber, points } from '@/kit/format'
import { ImportButton } from '@/kit/ImportWizard'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { type Reasoned, ReasonForm } from '@/kit/ReasonForm'
import { Word } from '@/kit/Status'
import { type DrawerProps, useDrawer } from '@/kit/useDrawer'
import { useQueryTable } from '@/kit/useQueryTable'
import { usePlanChoices } from '@/thesis/PlanSelect'
import {
  auditInternships,
  editInternship,
  exportInternships,
  fetchInternshipImportTemplate,
  importInternships,
  listInternships,
  rejectInternships,
  submitInternships,
  viewInternship,
  waiveInternship,
} from './api'
import { internshipTones } from './gradeWords'

type Internship = RowOf<typeof listInternships>

const nameOf = ({ studentName }: Internship) => studentName

/** An address lasts some minutes, so it is asked for when the file is wanted. */
const OwnFile = ({ id, of }: { id: number; of: 'report' | 'appraisal' }) => {
  const request = useRequest()
  return (
    <FileLink
      name={of === 'report' ? '查看报告' : '查看鉴定'}
      address={async () => {
        const view = await request(viewInternship, { query: { id } })
        return of === 'report' ? view.reportUrl : view.appraisalUrl
      }}
    />
  )
}

const columns = columnsOf(listInternships, [
  { field: 'studentName', width: 110, fixed: 'left' },
  { field: 'studentNo', under: 'studentName' },
  { field: 'status', title: '状态', width: 84, fixed: 'left', tones: internshipTones },
  {
    field: 'unit',
    width: 180,
    render: ({ unit, applyWaiver, waived }) => (
      <>
        {unit ?? '—'} {waived ? <Word tone="good">免实习</Word> : applyWaiver && <Word tone="warning">申请免实习</Word>}
      </>
    ),
  },
  {
    field: 'startsOn',
    title: '起止',
    width: 210,
    render: ({ startsOn, endsOn }) => (startsOn ? `${startsOn} 至 ${endsOn ?? ''}` : '—'),
  },
  {
    field: 'hasReport',
    title: '报告',
    width: 100,
    render: ({ id, hasReport }) => (hasReport ? <OwnFile id={id} of="report" /> : '—'),
  },
  {
    field: 'hasAppraisal',
    title: '鉴定',
    width: 100,
    render: ({ id, hasAppraisal }) => (hasAppraisal ? <OwnFile id={id} of="appraisal" /> : '—'),
  },
  { field: 'unitScore', width: 90, render: ({ unitScore }) => points(unitScore) },
  { field: 'teacherScore', width: 90, render: ({ teacherScore }) => points(teacherScore) },
  { field: 'score', width: 80, render: ({ score }) => points(score) },
  { field: 'title', width: 220 },
  { field: 'adviserName', width: 100 },
  { field: 'courseName', width: 160 },
  { field: 'majorName', width: 150 },
  { field: 'siteName', width: 140 },
  { field: 'className', width: 150 },
  { field: 'post', width: 110, hidden: true },
  { field: 'mentor', width: 100, hidden: true },
  { field: 'mentorPhone', width: 130, hidden: true },
  { field: 'returnReason', width: 160, hidden: true },
  { field: 'scoredByName', width: 100, hidden: true },
  { field: 'auditedByName', width: 100, hidden: true },
  { field: 'semesterName', width: 150, hidden: true },
])

const Field = fieldsOf(editInternship)

const EditForm = ({ record: row, ...drawer }: DrawerProps<Internship>) => (
  <FormDrawer<Internship, Saved>
    {...drawer}
    record={row}
    width={680}
    title={`录入实习 ${row?.studentName ?? ''}`}
    action={(held) => formAction(editInternship, `已保存${row?.studentName}的实习`, held)}
    reload={({ id }, call) => call(viewInternship, { query: { id } })}
  >
    <Field name="unit" />
    <Field name="post" />
    <Field name="startsOn" />
    <Field name="endsOn" />
    <Field name="mentor" />
    <Field name="mentorPhone" />
    <Field name="applyWaiver" help="在职人员以在职证明申请" />
    <Field name="unitScore">
      <InputNumber min={0} max={100} precision={1} hideControl />
    </Field>
    <Field name="teacherScore">
      <InputNumber min={0} max={100} precision={1} hideControl />
    </Field>
    <Field name="reportFileKey">
      <FileUpload type={3} purpose="thesis" accept=".pdf,.doc,.docx" />
    </Field>
    <Field name="appraisalFileKey">
      <FileUpload type={3} purpose="thesis" accept=".pdf,.doc,.docx" />
    </Field>
  </FormDrawer>
)

const Waived = fieldsOf(waiveInternship)

const WaiveForm = ({ record: row, ...drawer }: DrawerProps<Internship>) => (
  <FormDrawer<{ fileKey?: string; reason?: string }, Saved>
    {...drawer}
    record={undefined}
    title={`免实习 ${row?.studentName ?? ''}`}
    okText="免实习"
    action={() => formAction(waiveInternship, `已为${row?.studentName}免实习`, row && itemOf(row))}
  >
    <p className="form-hint">免实习的成绩记为合格，获得学分。</p>
    <Waived name="reason" />
    <Waived name="fileKey">
      <FileUpload type={3} purpose="thesis" accept=".pdf,.jpg,.jpeg,.png" />
    </Waived>
  </FormDrawer>
)

/** 实习成绩: what the unit and the teacher gave, audited and made the score of the course (04 §8.2). */
export const InternshipsPage = () => {
  const table = useQueryTable(listInternships)
  const plans = usePlanChoices()
  const edit = useDrawer<Internship>()
  const waive = useDrawer<Internship>()
  const reason = useDrawer<Reasoned>()
  const open = ({ status }: Internship) =>
    status === 'draft' || status === 'returned' ? undefined : '已提交，请先退回'
  const submitted = ({ status }: Internship) => (status === 'submitted' ? undefined : '只有待审的可以审核')
  const reject = (rows: readonly Internship[], title: string) =>
    reason.open({
      title,
      verb: '退回',
      hint: '退回后学生和教师可以修改再提交。',
      do: rejectInternships,
      body: { items: rows.map(itemOf) },
      done: '已退回实习',
      settle: (failed) => table.tickRows(failed),
      danger: true,
    })
  return (
    <Page title="实习成绩" help="单位评分和教师评分按比例合成；审核通过后成为实习课程的成绩。" personal>
      <FilterBar table={table}>
        <TextFilter of={listInternships} field="keyword" label="学号、姓名或单位" />
        <EnumFilter of={listInternships} field="status" label="状态" />
        <YesNoFilter of={listInternships} field="entered" />
        <YesNoFilter of={listInternships} field="applyWaiver" />
        <SelectFilter of={listInternships} field="planId" options={plans} />
        <OptionFilter of={listInternships} field="adviserId" {...teachers} />
        <OptionFilter of={listInternships} field="semesterId" {...semesters} />
        <OptionFilter of={listInternships} field="majorId" {...majors} />
        <OptionFilter of={listInternships} field="classId" {...classes} />
        <OptionFilter of={listInternships} field="siteId" {...sites} />
        <OptionFilter of={listInternships} field="gradeId" {...grades} />
        <OptionFilter of={listInternships} field="levelId" {...levels} />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={nameOf}
        tools={
          <Space size={4}>
            <ImportButton do={importInternships} template={fetchInternshipImportTemplate} what="实习成绩" />
            <ExportButton do={exportInternships} table={table} />
          </Space>
        }
        bulk={[
          bulkStep(submitInternships, {
            label: '批量提交',
            confirm: (count) => ({
              title: `提交选中的${formatNumber(count)}名学生的实习？`,
              content: '提交后由另一人审核。',
            }),
            input: () => ({ body: { items: table.tickedRows.map(itemOf) } }),
          }),
          bulkStep(auditInternships, {
            label: '批量通过',
            confirm: (count) => ({
              title: `通过选中的${formatNumber(count)}名学生的实习？`,
              content: '成绩随之发布；不能审核自己评分的。',
            }),
            input: () => ({ body: { items: table.tickedRows.map(itemOf) } }),
          }),
          {
            label: '批量退回',
            do: rejectInternships,
            open: () => reject(table.tickedRows, `退回${formatNumber(table.tickedRows.length)}名学生的实习`),
          },
        ]}
        actionsWidth={200}
        actions={(row) =>
          byState([
            { label: '录入', do: editInternship, disabled: open(row), onClick: () => edit.open(row) },
            step(submitInternships, {
              label: '提交',
              disabled: open(row),
              with: { body: { items: [itemOf(row)] } },
              done: `已提交${row.studentName}的实习`,
            }),
            step(auditInternships, {
              label: '通过',
              disabled: submitted(row),
              with: { body: { items: [itemOf(row)] } },
              confirm: { title: `通过${row.studentName}的实习？`, content: '成绩成为实习课程的成绩。' },
              done: `已通过${row.studentName}的实习`,
            }),
            {
              label: '退回',
              do: rejectInternships,
              danger: true,
              disabled: submitted(row),
              onClick: () => reject([row], `退回实习 ${row.studentName}`),
            },
            {
              label: '免实习',
              do: waiveInternship,
              disabled: row.status === 'passed' ? '实习已通过' : undefined,
              onClick: () => waive.open(row),
            },
          ])
        }
        empty="没有选修实习课程的学生。"
      />
      <EditForm key={edit.key} {...edit.props} />
      <WaiveForm key={`waive-${waive.key}`} {...waive.props} />
      <ReasonForm key={`reason-${reason.key}`} {...reason.props} />
    </Page>
  )
}
