import { Button, Descriptions, Form, Switch } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import { useQuery } from '@tanstack/react-query'
import { useRequest, useSchoolContext } from '@/api/schoolContext'
import type { Saved } from '@/api/types/shared'
import { classes, sites } from '@/basic_data/choices'
import { courses } from '@/course_opening/choices'
import { byState } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { columnsOf, show } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { fieldsOf } from '@/kit/Field'
import { FilterBar } from '@/kit/FilterBar'
import { FormDrawer } from '@/kit/FormDrawer'
import { EnumFilter, OptionFilter, TextFilter } from '@/kit/filters'
import { formAction } from '@/kit/formAction'
import { Loaded } from '@/kit/Loaded'
import { fieldOf } from '@/kit/labels'
import { OptionSelect } from '@/kit/OptionSelect'
import { QueryTable } from '@/kit/QueryTable'
import { type Reasoned, ReasonForm } from '@/kit/ReasonForm'
import { Segments } from '@/kit/Segments'
import { type DrawerProps, useDrawer } from '@/kit/useDrawer'
import { useQueryTable } from '@/kit/useQueryTable'
import { Watermark } from '@/kit/Watermark'
import { historyOf } from '@/logs/RecordHistory'
import { auditDeferral, exportDeferrals, listDeferrals, revokeDeferral, saveDeferral, viewDeferral } from './api'
import { allBatches, batches } from './choices'
import { EvidenceFiles, EvidenceInput } from './Evidence'
import { type Deferral, deferralTones } from './examRules'
import { type Chosen, SelectionPicker } from './SelectionPicker'

const trail = historyOf(viewDeferral, 'exam_deferral')

const columns = columnsOf(listDeferrals, [
  { field: 'name', width: 110, fixed: 'left' },
  { field: 'studentNo', under: 'name' },
  { field: 'status', width: 84, fixed: 'left', tones: deferralTones },
  { field: 'courseName', title: '课程', width: 170 },
  { field: 'batchName', title: '批次', width: 200 },
  { field: 'siteName', title: '站点', width: 130 },
  { field: 'className', title: '班级', width: 150 },
  { field: 'startsAt', width: 170 },
  { field: 'reasonType', width: 90 },
  { field: 'reason', width: 200 },
  { field: 'appliedBy', width: 90 },
  { field: 'createdAt', title: '申请时间', width: 170 },
  { field: 'reviewedByName', width: 90 },
  { field: 'reviewedAt', width: 170, hidden: true },
  { field: 'opinion', width: 180 },
  { field: 'appliedByName', width: 110, hidden: true },
])

const facts = [
  'studentNo',
  'name',
  'siteName',
  'className',
  'batchName',
  'courseName',
  'startsAt',
  'reasonType',
  'reason',
  'appliedBy',
  'appliedByName',
  'createdAt',
  'reviewedByName',
  'reviewedAt',
  'opinion',
] as const

const DeferralFile = ({ id }: { id: number }) => {
  const request = useRequest()
  const query = useQuery({
    queryKey: [viewDeferral.path, id],
    queryFn: ({ signal }) => request(viewDeferral, { query: { id } }, { signal }),
  })
  return (
    <Loaded query={query}>
      {(view) => (
        <>
          <Descriptions
            column={2}
            labelStyle={{ width: 100 }}
            data={[
              { key: 'status', label: '状态', value: show(listDeferrals, 'status', view.status, deferralTones) },
              ...facts.map((field) => ({
                key: field,
                label: fieldOf(listDeferrals, field).label,
                value: show(listDeferrals, field, view[field], undefined),
              })),
            ]}
          />
          <EvidenceFiles label="证明材料" files={view.files} />
          {trail(view)}
          <Watermark />
        </>
      )}
    </Loaded>
  )
}

interface Draft {
  batchId?: number
  selections?: Chosen[]
  reasonType?: string
  reason?: string
  fileIds?: number[]
}

const Field = fieldsOf(saveDeferral)

type Report = (message?: string) => void

/** 新增, in the name of a student. */
const DeferralForm = (drawer: DrawerProps<Deferral>) => (
  <FormDrawer<Draft, Saved>
    {...drawer}
    record={undefined}
    width={720}
    title="新增缓考申请"
    action={() => {
      const save = formAction(saveDeferral, '已新增缓考申请')
      return {
        ...save,
        send: ({ selections, ...typed }: Draft, request) =>
          save.send({ ...typed, studentId: selections?.[0]?.studentId, courseId: selections?.[0]?.courseId }, request),
      }
    }}
  >
    <Field name="batchId">
      <OptionSelect label="批次" {...batches} />
    </Field>
    <Form.Item
      field="selections"
      label="学生和课程"
      required
      rules={[
        {
          validator: (value, report: Report) =>
            report(Array.isArray(value) && value.length > 0 ? undefined : '请选择学生和课程'),
        },
      ]}
    >
      <SelectionPicker aria-label="学生和课程" />
    </Form.Item>
    <Field name="reasonType" />
    <Field name="reason" />
    <Form.Item field="fileIds" label="证明材料">
      <EvidenceInput aria-label="证明材料" />
    </Form.Item>
  </FormDrawer>
)

const Audit = fieldsOf(auditDeferral)

/** 审核 of an application: passed, or refused with the opinion. */
const AuditForm = ({ record: deferral, ...drawer }: DrawerProps<Deferral>) => (
  <FormDrawer<{ id: number; version: number; pass?: boolean; opinion?: string; fileIds?: number[] }, Saved>
    {...drawer}
    record={deferral && { id: deferral.id, version: deferral.version, pass: true }}
    title={deferral ? `审核 ${deferral.name}《${deferral.courseName}》缓考` : '审核缓考'}
    okText="提交审核"
    action={(held) => formAction(auditDeferral, '已审核缓考申请', held && { id: held.id, version: held.version })}
    reload={async (held, call) => ({
      ...held,
      version: (await call(viewDeferral, { query: { id: held.id } })).version,
    })}
  >
    <p className="form-hint">批准后该考生不参加本场考试，已编排的座位空出；考试开始后批准须有单独的权限和证明材料。</p>
    <Form.Item field="pass" label="批准" triggerPropName="checked">
      <Switch aria-label="批准" />
    </Form.Item>
    <Audit name="opinion" help="驳回时必填，学生可以看到" />
    <Form.Item field="fileIds" label="补充材料" extra="考试开始后批准时必填">
      <EvidenceInput aria-label="补充材料" />
    </Form.Item>
  </FormDrawer>
)

/** 缓考: who need not sit for a course in a batch (04 §3). A tab of 考务管理 and of 学生考试. */
export const Deferrals = () => {
  const table = useQueryTable(listDeferrals)
  const isSchool = useSchoolContext().area === 'school'
  const form = useDrawer<Deferral>()
  const audit = useDrawer<Deferral>()
  const reason = useDrawer<Reasoned>()
  return (
    <>
      <Segments table={table} field="status" label="缓考状态" />
      <FilterBar table={table}>
        <TextFilter of={listDeferrals} field="keyword" label="姓名或学号" />
        {isSchool ? (
          <OptionFilter of={listDeferrals} field="batchId" {...allBatches} />
        ) : (
          <TextFilter of={listDeferrals} field="batchText" />
        )}
        <OptionFilter of={listDeferrals} field="courseId" {...courses} />
        <EnumFilter of={listDeferrals} field="mode" />
        <OptionFilter of={listDeferrals} field="siteId" {...sites} />
        <OptionFilter of={listDeferrals} field="classId" {...classes} />
        <EnumFilter of={listDeferrals} field="reasonType" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={({ name, courseName }) => `${name}《${courseName}》`}
        primary={
          <Can do={saveDeferral}>
            <Button type="primary" icon={<IconPlus />} onClick={() => form.open()}>
              新增缓考申请
            </Button>
          </Can>
        }
        tools={<ExportButton do={exportDeferrals} table={table} />}
        file={(row) => <DeferralFile id={row.id} />}
        actions={(row) =>
          byState([
            {
              label: '审核',
              do: auditDeferral,
              disabled: row.status === 'applied' ? undefined : '只有待审核的可以审核',
              onClick: () => audit.open(row),
            },
            {
              label: '撤销',
              do: revokeDeferral,
              danger: true,
              disabled:
                row.status === 'applied' || row.status === 'approved' ? undefined : '只有待审核和已批准的可以撤销',
              onClick: () =>
                reason.open({
                  do: revokeDeferral,
                  title: `撤销 ${row.name}《${row.courseName}》的缓考`,
                  verb: '撤销缓考',
                  hint: '考试开始前可以撤销；撤销后重新判断考试资格，需要重新编排座位。',
                  done: '已撤销缓考',
                  danger: true,
                  body: { id: row.id, version: row.version },
                }),
            },
            { label: '查看', do: viewDeferral, onClick: () => table.open(row) },
          ])
        }
        empty="还没有缓考申请。学生在客户端申请，也可以在这里代为申请。"
      />
      <DeferralForm key={`form-${form.key}`} {...form.props} />
      <AuditForm key={`audit-${audit.key}`} {...audit.props} />
      <ReasonForm key={`reason-${reason.key}`} {...reason.props} />
    </>
  )
}
