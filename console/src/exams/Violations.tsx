import { Alert, Descriptions, Form, Select, Switch } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { useAllowed } from '@/api/identity'
import type { DataOf } from '@/api/operation'
import { useRequest, useSchoolContext } from '@/api/schoolContext'
import type { Saved } from '@/api/types/shared'
import { classes, sites } from '@/basic_data/choices'
import { saveDiscipline } from '@/graduation/api'
import { DisciplineForm, type Punished } from '@/graduation/DisciplineForm'
import { byState } from '@/kit/actions'
import { columnsOf, show } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { fieldsOf } from '@/kit/Field'
import { FilterBar } from '@/kit/FilterBar'
import { FormDrawer } from '@/kit/FormDrawer'
import { EnumFilter, OptionFilter, TextFilter } from '@/kit/filters'
import { formAction } from '@/kit/formAction'
import { formatNumber } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import { fieldOf, labelOf } from '@/kit/labels'
import { QueryTable } from '@/kit/QueryTable'
import { type Reasoned, ReasonForm } from '@/kit/ReasonForm'
import { Segments } from '@/kit/Segments'
import { type DrawerProps, useDrawer } from '@/kit/useDrawer'
import { useQueryTable } from '@/kit/useQueryTable'
import { Watermark } from '@/kit/Watermark'
import { historyOf } from '@/logs/RecordHistory'
import { auditViolation, exportViolations, listViolations, revokeViolation, saveViolation, viewViolation } from './api'
import { allBatches, setupsOf } from './choices'
import { EvidenceFiles, EvidenceInput } from './Evidence'
import { clausesOf, isPunished, levelTones, punishedFor, type Violation, violationTones } from './examRules'

const trail = historyOf(viewViolation, 'exam_violation')

const columns = columnsOf(listViolations, [
  { field: 'name', width: 110, fixed: 'left' },
  { field: 'studentNo', under: 'name' },
  { field: 'status', width: 84, fixed: 'left', tones: violationTones },
  { field: 'level', title: '性质', width: 76, tones: levelTones },
  { field: 'clause', title: '条款', width: 190 },
  { field: 'setupName', title: '考试', width: 200 },
  { field: 'courseName', title: '课程', width: 160 },
  { field: 'siteName', title: '站点', width: 130 },
  { field: 'className', title: '班级', width: 150 },
  { field: 'source', width: 90 },
  { field: 'description', width: 220 },
  { field: 'penalty', width: 160 },
  { field: 'reportedByName', width: 90 },
  { field: 'createdAt', title: '登记时间', width: 170 },
  { field: 'decidedByName', width: 90 },
  { field: 'decidedAt', width: 170, hidden: true },
  { field: 'decision', width: 200, hidden: true },
  { field: 'revokeReason', width: 180, hidden: true },
  { field: 'batchName', title: '批次', width: 190, hidden: true },
  { field: 'mode', width: 84, hidden: true },
])

const facts = [
  'studentNo',
  'name',
  'siteName',
  'className',
  'batchName',
  'setupName',
  'courseName',
  'clause',
  'description',
  'source',
  'reportedByName',
  'createdAt',
  'penalty',
  'decision',
  'decidedByName',
  'decidedAt',
  'revokeReason',
] as const

const ViolationFile = ({ id }: { id: number }) => {
  const request = useRequest()
  const query = useQuery({
    queryKey: [viewViolation.path, id],
    queryFn: ({ signal }) => request(viewViolation, { query: { id } }, { signal }),
  })
  return (
    <Loaded query={query}>
      {(view) => (
        <>
          <Descriptions
            column={2}
            labelStyle={{ width: 100 }}
            data={[
              { key: 'status', label: '状态', value: show(listViolations, 'status', view.status, violationTones) },
              { key: 'level', label: '性质', value: show(listViolations, 'level', view.level, levelTones) },
              ...facts.map((field) => ({
                key: field,
                label: fieldOf(listViolations, field).label,
                value: show(listViolations, field, view[field], undefined),
              })),
            ]}
          />
          <EvidenceFiles label="证据" files={view.files} />
          {trail(view)}
          <Watermark />
        </>
      )}
    </Loaded>
  )
}

/** Of whom a case is reported. */
export interface Reported {
  candidateId: number
  name: string
  source: 'online_monitor' | 'invigilator' | 'marking' | 'other'
}

interface Draft {
  level?: string
  clause?: string
  description?: string
  source?: string
  fileIds?: number[]
}

const Field = fieldsOf(saveViolation)

const Clause = () => {
  const { form } = Form.useFormContext()
  const level: string | undefined = Form.useWatch('level', form)
  return (
    <Field name="clause">
      <Select
        placeholder="请选择"
        options={clausesOf(level, saveViolation.fields.clause?.options ?? []).map(([value, label]) => ({
          value,
          label,
        }))}
      />
    </Field>
  )
}

/** 登记违规 of a candidate. Somebody else decides. */
export const ViolationForm = ({ record: of, ...drawer }: DrawerProps<Reported>) => (
  <FormDrawer<Draft, Saved>
    {...drawer}
    record={undefined}
    initial={{ level: 'violation', source: of?.source ?? 'other' }}
    title={`登记违规 ${of?.name ?? ''}`}
    okText="登记"
    action={() => formAction(saveViolation, '已登记违规，等待认定', { candidateId: of?.candidateId })}
  >
    <p className="form-hint">登记后由其他人员认定，登记人不能认定；认定前不影响成绩。</p>
    <Form.Item field="level" label="违规性质" required rules={[{ required: true, message: '请选择违规性质' }]}>
      <Select
        aria-label="违规性质"
        options={(saveViolation.fields.level?.options ?? [])
          .filter(([value]) => value !== 'none')
          .map(([value, label]) => ({ value, label }))}
      />
    </Form.Item>
    <Clause />
    <Field name="description" />
    <Field name="source" />
    <Form.Item field="fileIds" label="证据">
      <EvidenceInput aria-label="证据" />
    </Form.Item>
  </FormDrawer>
)

type Decided = DataOf<typeof auditViolation>

/** What came of a decision, in one sentence. */
const decidedWords = ({ marked, corrections, proposedDiscipline }: Decided) =>
  [
    '已提交认定',
    marked > 0 && `标记了${formatNumber(marked)}门考试的成绩`,
    corrections.length > 0 && `已生成${formatNumber(corrections.length)}条成绩更正，请审核`,
    proposedDiscipline && '请登记处分',
  ]
    .filter(Boolean)
    .join('，')

const punishmentOf = (row: Violation) => punishedFor(row, labelOf(listViolations, 'clause', row.clause))

const Audit = fieldsOf(auditViolation)

const Penalty = () => {
  const { form } = Form.useFormContext()
  const pass: boolean | undefined = Form.useWatch('pass', form)
  return pass === false ? null : <Audit name="penalty" required help="本批次各科成绩无效时，该生本批次的考试都作标记" />
}

/** 认定 of a case by another than who reported it. */
const AuditForm = ({
  record: violation,
  onPunish,
  ...drawer
}: DrawerProps<Violation> & { onPunish: (punished: Punished) => void }) => (
  <FormDrawer<{ id: number; version: number; pass?: boolean; decision?: string; penalty?: string }, Decided>
    {...drawer}
    record={violation && { id: violation.id, version: violation.version, pass: true, penalty: 'score_void' }}
    title={violation ? `认定 ${violation.name}《${violation.courseName}》的违规` : '认定违规'}
    okText="提交认定"
    danger
    action={(held) => formAction(auditViolation, decidedWords, held && { id: held.id, version: held.version })}
    reload={async (held, call) => ({
      ...held,
      version: (await call(viewViolation, { query: { id: held.id } })).version,
    })}
    onSaved={(decided) => {
      if (violation && decided.proposedDiscipline)
        onPunish({ ...punishmentOf(violation), reason: decided.proposedDiscipline.reason })
    }}
  >
    {violation && (
      <Alert className="form-lead" type="info" content={`${violation.reportedByName}登记：${violation.description}`} />
    )}
    <Form.Item field="pass" label="成立" triggerPropName="checked">
      <Switch aria-label="成立" />
    </Form.Item>
    <Audit name="decision" />
    <Penalty />
  </FormDrawer>
)

/** 违规: what happened in an examination, and what was decided of it (04 §3). A tab of 考务管理 and of 学生考试. */
export const Violations = () => {
  const table = useQueryTable(listViolations)
  const isSchool = useSchoolContext().area === 'school'
  const audit = useDrawer<Violation>()
  const reason = useDrawer<Reasoned>()
  const punish = useDrawer<Punished>()
  const allowed = useAllowed()
  const batchId = Number(table.filters.batchId) || undefined
  return (
    <>
      <Segments table={table} field="status" label="违规记录状态" />
      <FilterBar table={table}>
        <TextFilter of={listViolations} field="keyword" label="姓名或学号" />
        {isSchool ? (
          <OptionFilter of={listViolations} field="batchId" {...allBatches} />
        ) : (
          <TextFilter of={listViolations} field="batchText" />
        )}
        <OptionFilter of={listViolations} field="setupId" {...setupsOf(batchId)} />
        <EnumFilter of={listViolations} field="mode" />
        <EnumFilter of={listViolations} field="level" only={['violation', 'cheating']} />
        <EnumFilter of={listViolations} field="clause" />
        <OptionFilter of={listViolations} field="siteId" {...sites} />
        <OptionFilter of={listViolations} field="classId" {...classes} />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={({ name, courseName }) => `${name}《${courseName}》`}
        tools={<ExportButton do={exportViolations} table={table} />}
        file={(row) => <ViolationFile id={row.id} />}
        actions={(row) =>
          byState([
            {
              label: '认定',
              do: auditViolation,
              disabled: row.status === 'reported' ? undefined : '只有已登记的可以认定',
              onClick: () => audit.open(row),
            },
            {
              label: '撤销',
              do: revokeViolation,
              danger: true,
              disabled: row.status === 'confirmed' ? undefined : '只有已认定的可以撤销',
              onClick: () =>
                reason.open({
                  do: revokeViolation,
                  title: `撤销 ${row.name}《${row.courseName}》的违规认定`,
                  verb: '撤销认定',
                  hint: '恢复因该记录标记的成绩；成绩已发布的生成成绩更正，已锁定的须走成绩更正。',
                  done: '已撤销违规认定',
                  danger: true,
                  body: { id: row.id, version: row.version },
                }),
            },
            ...(isPunished(row)
              ? [{ label: '登记处分', do: saveDiscipline, onClick: () => punish.open(punishmentOf(row)) }]
              : []),
            { label: '查看', do: viewViolation, onClick: () => table.open(row) },
          ])
        }
        empty="还没有违规记录。线上考试在“学生考试”中登记，线下考试在“考场情况”中登记。"
      />
      <AuditForm
        key={`audit-${audit.key}`}
        {...audit.props}
        onPunish={(punished) => allowed(saveDiscipline) && punish.open(punished, audit.from)}
      />
      <DisciplineForm
        key={`punish-${punish.key}`}
        visible={punish.props.visible}
        onClose={punish.props.onClose}
        record={undefined}
        begun={punish.props.record}
      />
      <ReasonForm key={`reason-${reason.key}`} {...reason.props} />
    </>
  )
}
