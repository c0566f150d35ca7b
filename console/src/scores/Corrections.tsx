import { Descriptions, Form, InputNumber, Select } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { useAllowed } from '@/api/identity'
import { useRequest } from '@/api/schoolContext'
import type { Saved } from '@/api/types/shared'
import { semesters } from '@/basic_data/choices'
import { courses } from '@/course_opening/choices'
import { EvidenceFiles } from '@/exams/Evidence'
import { columnsOf, show } from '@/kit/columns'
import { fieldsOf } from '@/kit/Field'
import { FilesInput } from '@/kit/FilesInput'
import { FilterBar } from '@/kit/FilterBar'
import { FormDrawer } from '@/kit/FormDrawer'
import { EnumFilter, OptionFilter, TextFilter } from '@/kit/filters'
import { formAction } from '@/kit/formAction'
import { formatTime, points } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import { labelOf } from '@/kit/labels'
import { QueryTable } from '@/kit/QueryTable'
import { type Reasoned, ReasonForm } from '@/kit/ReasonForm'
import { type DrawerProps, useDrawer } from '@/kit/useDrawer'
import { useQueryTable } from '@/kit/useQueryTable'
import { historyOf } from '@/logs/RecordHistory'
import {
  auditScoreCorrection,
  explainAchievement,
  listOfflineScores,
  listScoreCorrections,
  saveScoreCorrection,
  viewScoreCorrection,
} from './api'
import { type Achievement, type Correction, correctable, correctionTones, publishedRounds } from './scoreWords'

const trail = historyOf(viewScoreCorrection, 'score_correction')

const columns = columnsOf(listScoreCorrections, [
  { field: 'studentName', width: 110, fixed: 'left' },
  { field: 'studentNo', under: 'studentName' },
  { field: 'status', title: '状态', width: 84, fixed: 'left', tones: correctionTones },
  { field: 'courseName', width: 180 },
  { field: 'target', width: 100 },
  { field: 'oldText', width: 90 },
  { field: 'newText', width: 110 },
  { field: 'oldValue', width: 90 },
  { field: 'newValue', width: 90 },
  { field: 'reasonType', width: 100 },
  { field: 'reason', width: 200 },
  { field: 'fileCount', width: 80 },
  { field: 'appliedByName', width: 100 },
  { field: 'createdAt', width: 170 },
  { field: 'auditedByName', width: 100 },
  { field: 'opinion', width: 160 },
  { field: 'className', width: 150, hidden: true },
  { field: 'semesterName', width: 150, hidden: true },
])

const nameOf = ({ studentName, courseName }: Correction) => `${studentName}《${courseName}》`

/** A correction with what proves it: read before it is decided. */
const CorrectionFile = ({ id }: { id: number }) => {
  const request = useRequest()
  const query = useQuery({
    queryKey: [viewScoreCorrection.path, id],
    queryFn: ({ signal }) => request(viewScoreCorrection, { query: { id } }, { signal }),
  })
  return (
    <Loaded query={query}>
      {(view) => (
        <>
          <Descriptions
            column={2}
            labelStyle={{ width: 100 }}
            data={[
              {
                key: 'status',
                label: '状态',
                value: show(listScoreCorrections, 'status', view.status, correctionTones),
              },
              { key: 'target', label: '更正内容', value: labelOf(listScoreCorrections, 'target', view.target) },
              {
                key: 'part',
                label: '成绩组成项',
                value: labelOf(listScoreCorrections, 'componentKind', view.componentKind) || '—',
              },
              { key: 'old', label: '原成绩', value: `${view.oldText}（${points(view.oldValue)}）` },
              { key: 'new', label: '更正后', value: `${view.newText ?? '待审核'}（${points(view.newValue)}）` },
              { key: 'why', label: '更正原因', value: labelOf(listScoreCorrections, 'reasonType', view.reasonType) },
              { key: 'by', label: '申请人', value: `${view.appliedByName} ${formatTime(view.createdAt)}` },
              { key: 'reason', label: '说明', value: view.reason, span: 2 },
              { key: 'opinion', label: '审核意见', value: view.opinion ?? '—', span: 2 },
            ]}
          />
          <EvidenceFiles label="附件" files={view.files} />
          {trail({ id })}
        </>
      )}
    </Loaded>
  )
}

/** 成绩更正: what was found wrong after publication, audited by another person. */
export const Corrections = () => {
  const table = useQueryTable(listScoreCorrections)
  const audit = useDrawer<Reasoned>()
  const decide = (row: Correction, pass: boolean) =>
    audit.open({
      title: `${pass ? '通过' : '驳回'}更正 ${nameOf(row)}`,
      verb: pass ? '通过' : '驳回',
      hint: pass ? `通过后按冻结的公式重算，${row.oldText}改为新成绩并通知学生。` : '驳回后成绩不变。',
      do: auditScoreCorrection,
      body: { id: row.id, pass, version: row.version },
      done: pass ? '更正已生效' : '已驳回更正',
      field: 'opinion',
      optional: pass,
      danger: !pass,
    })
  const why = (row: Correction) => (row.status === 'applied' ? undefined : '只有待审核的可以审核')
  return (
    <>
      <FilterBar table={table}>
        <TextFilter of={listScoreCorrections} field="keyword" label="学号或姓名" />
        <OptionFilter of={listScoreCorrections} field="courseId" {...courses} />
        <EnumFilter of={listScoreCorrections} field="status" label="状态" />
        <EnumFilter of={listScoreCorrections} field="target" />
        <EnumFilter of={listScoreCorrections} field="reasonType" />
        <OptionFilter of={listScoreCorrections} field="semesterId" {...semesters} />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={nameOf}
        file={(row) => <CorrectionFile id={row.id} />}
        actionsWidth={180}
        actions={(row) => [
          { label: '查看', do: viewScoreCorrection, onClick: () => table.open(row) },
          { label: '通过', do: auditScoreCorrection, disabled: why(row), onClick: () => decide(row, true) },
          {
            label: '驳回',
            do: auditScoreCorrection,
            disabled: why(row),
            danger: true,
            onClick: () => decide(row, false),
          },
        ]}
        empty="没有成绩更正。已发布的成绩有误时，在“成绩查询”的课程成绩中申请更正。"
      />
      <ReasonForm key={audit.key} {...audit.props} />
    </>
  )
}

const Field = fieldsOf(saveScoreCorrection)

type Report = (message?: string) => void

interface Typed {
  target?: string
  examScoreId?: number
  componentKind?: string
  newValue?: number
  newMark?: string
  reasonType?: string
  reason?: string
  fileKeys?: string[]
}

/** 更正 of a published score, with what proves it. */
export const CorrectionForm = ({ record: score, ...drawer }: DrawerProps<Achievement>) => {
  const { targets, parts, typed } = correctable(score?.origin)
  const request = useRequest()
  const allowed = useAllowed()
  const explained = useQuery({
    queryKey: [explainAchievement.path, score?.id],
    queryFn: ({ signal }) => request(explainAchievement, { query: { courseScoreId: score?.id ?? 0 } }, { signal }),
    enabled: score !== undefined && score.origin === 'examined' && drawer.visible && allowed(explainAchievement),
  })
  const rounds = publishedRounds(explained.data?.rounds ?? [])
  return (
    <FormDrawer<Typed, Saved>
      {...drawer}
      record={undefined}
      initial={{ target: targets[0]?.value, reasonType: 'entry_error' }}
      title={`成绩更正 ${score?.studentName ?? ''} ${score?.courseName ?? ''}`}
      okText="提交更正"
      action={() => formAction(saveScoreCorrection, '已提交更正，等待审核', { courseScoreId: score?.id })}
    >
      <p className="form-hint">
        现在的成绩：{score?.displayText ?? '—'}。由另一人审核通过后，按冻结的公式重算并通知学生。
      </p>
      <Field name="target">
        <Select options={targets} />
      </Field>
      <Form.Item noStyle shouldUpdate>
        {({ target }: Typed) => (
          <>
            {target === 'component' && (
              <Field name="componentKind" required>
                <Select
                  placeholder="请选择"
                  options={parts.map((part) => ({
                    value: part,
                    label: labelOf(saveScoreCorrection, 'componentKind', part),
                  }))}
                />
              </Field>
            )}
            {target !== 'component' && rounds.length > 1 && (
              <Field name="examScoreId" label="考试" help="不选为最近一次已发布的考试">
                <Select
                  allowClear
                  placeholder="最近一次"
                  options={rounds.map(({ id, round, number, value, text }) => ({
                    value: id,
                    label: `${labelOf(listOfflineScores, 'round', round)}${number ?? ''} ${value ?? text}`,
                  }))}
                />
              </Field>
            )}
            {target === 'mark' ? (
              <>
                <Field name="newMark" label="新特殊情况" required />
                {typed && (
                  <Field name="newValue" help={typed}>
                    <InputNumber min={0} max={100} precision={1} hideControl />
                  </Field>
                )}
              </>
            ) : (
              <Field name="newValue" required>
                <InputNumber min={0} max={100} precision={1} hideControl />
              </Field>
            )}
          </>
        )}
      </Form.Item>
      <Field name="reasonType" />
      <Field name="reason" />
      <Form.Item
        field="fileKeys"
        label="附件"
        required
        rules={[
          {
            validator: (value, report: Report) =>
              report(Array.isArray(value) && value.length > 0 ? undefined : '请上传附件'),
          },
        ]}
        extra="试卷、复核单等，PDF或图片"
      >
        <FilesInput by={({ key }) => key} purpose="registration" accept=".pdf,.jpg,.jpeg,.png" aria-label="附件" />
      </Form.Item>
    </FormDrawer>
  )
}
